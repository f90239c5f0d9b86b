/** The rules of `layers.ts` as pure functions over sources, so that the test can also run them on bad examples. */
import { posix } from 'node:path';
import {
  COMPILED_ASSETS,
  ENTRIES,
  LAYERS,
  LIBRARIES,
  laterSubjects,
  MAX_FILES,
  MAX_IMPORTS,
  PAGE,
  PLATFORM,
  PORT_FILE,
  PROCESSES_ALLOWED,
  SHARED_ADAPTERS,
  SYSTEM_ALLOWED,
  TIME_ALLOWED,
} from './layers.ts';
import { codeOnly, importsOf } from './sourceScan.ts';

const MAX_LINES = 500;
const VAGUE_NAME = /(Manager|Helper|Util)s?(?![a-z])/i;
const TIME = [
  /(?<![.\w$])Date\.now\b/,
  /(?<![.\w$])new\s+Date\s*(?:\(\s*\)|(?![\w\s(]))/,
  /(?<![.\w$])(?:setTimeout|setInterval|setImmediate)\s*\(/,
  /\bglobalThis\.(?:setTimeout|setInterval|setImmediate|Date)\b/,
  /(?<![.\w$])performance\.now\b/,
];
const TIMER_MODULES = /^(node:)?timers(\/promises)?$/;

/** What differs between systems. */
const SYSTEM = [/\bprocess\.(?:platform|env)\b/, /\bdevNull\b/, /\bEOL\b/];
/** How processes are listed and ended. */
const PROCESSES = [/\/proc\//, /\/bin\/sh\b/, /\bprocess\.kill\(/, /\bdetached: true\b/];
/** On Windows these wait for files that other programs hold. */
const HELD =
  /import \{[^}]*\b(?:rename|rm|rmdir|unlink|renameSync|rmSync|unlinkSync)\b[^}]*\} from 'node:fs(?:\/promises)?'/;

/** Only the native one gives the spelling of the disk, by which paths are compared: `C:\\proj` for `c:\\PROJ`. */
const SPELLED_AS_ASKED = [/\brealpathSync\b(?!\.native)/, /import \{[^}]*\brealpath\b[^}]*\} from 'node:fs'/];

const READS_SUBJECT = [
  /\.(?:test|exec)\(\s*[\w.]*\bsubject\s*\)/,
  /\bsubject\??\.(?:startsWith|endsWith|includes|indexOf|slice|split|match|replace)\(/,
  /\.subject\s*[=!]==/,
];
/** `core/approval/about.ts` reads the subject of a question; the other one is about commits. */
const SUBJECT_ALLOWED = ['core/approval/about.ts', 'core/job/result/commitMessage.ts'];

const within = (path: string, place: string) => path === place || path.startsWith(`${place}/`);
const layerOf = (path: string) => (path.includes('/') ? (path.split('/')[0] ?? '') : '');
/** `job` of `engine/job/loop.ts`, `note` of `terminal/note.ts`. */
const subjectOf = (path: string) => path.split('/')[1]?.replace(/\.tsx?$/, '') ?? '';
/** The adapter that a file belongs to: `adapters/git/job/clone.ts` → `git`, `adapters/clock.ts` → `clock`. */
const adapterOf = (path: string) => path.split('/')[1]?.replace(/\.ts$/, '');
const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Paths within one layer, e.g. `engine/job/loop.ts`; those of the page begin with `page/`. */
function judgeSubject(from: string, to: string): string | undefined {
  const layer = layerOf(from);
  const subjects = (layer === 'page' ? PAGE : LAYERS[layer])?.subjects;
  const [mine, theirs] = [subjectOf(from), subjectOf(to)];
  // A file of the layer itself, e.g. the one that puts its subjects together.
  if (!subjects?.includes(mine) || mine === theirs) return undefined;
  if (!subjects.includes(theirs)) return `${mine} may not import ${to}, which stands above the subjects of ${layer}`;
  return laterSubjects(layer, mine).includes(theirs) ? `${mine} may not import ${theirs} (${to})` : undefined;
}

function judgeFile(from: string, to: string): string | undefined {
  const [mine, theirs] = [layerOf(from), layerOf(to)];
  if (!to.endsWith('.ts') && !to.endsWith('.tsx') && !to.endsWith('.json')) return `${to}: write the extension .ts`;
  if (to.startsWith('../assets/')) return judgeAsset(from, to.slice('../assets/'.length));
  if (to.startsWith('..')) return to.endsWith('package.json') ? undefined : `${to} lies outside src/`;
  if (mine === 'adapters' && theirs === 'adapters') {
    const theirAdapter = adapterOf(to) ?? '';
    return adapterOf(from) === theirAdapter || theirAdapter in SHARED_ADAPTERS ? undefined : `${to} is another adapter`;
  }
  if (mine === theirs) return judgeSubject(from, to);
  if (LAYERS[mine]?.layers.includes(theirs)) return undefined;
  if (mine === 'adapters' && PORT_FILE.test(to)) return undefined;
  return `${mine} may not import ${theirs || 'an entry'} (${to})`;
}

function judgeAsset(from: string, asset: string): string | undefined {
  const importer = COMPILED_ASSETS[asset];
  if (importer === undefined) return `assets/${asset} is in no row of COMPILED_ASSETS in test/support/suite/layers.ts`;
  return importer === from ? undefined : `assets/${asset} may be imported only in ${importer}`;
}

function judgePackage(from: string, specifier: string): string | undefined {
  const places = LIBRARIES[packageOf(specifier)];
  if (!places) return `${specifier} is in no row of LIBRARIES in test/support/suite/layers.ts`;
  return places.some((place) => within(from, place))
    ? undefined
    : `${specifier} may be imported only in ${places.join(', ')}`;
}

function judgeImport(from: string, specifier: string): string | undefined {
  const layer = layerOf(from);
  if (layer === '') {
    return packageOf(specifier) === 'vscode' && from !== 'extension.ts'
      ? 'vscode belongs to extension.ts and src/vscode'
      : undefined;
  }
  if (specifier === '') return 'a dynamic import must name its module in a plain string';
  if (specifier.startsWith('.')) return judgeFile(from, posix.join(posix.dirname(from), specifier));
  if (specifier.startsWith('node:')) {
    const allowed = LAYERS[layer]?.builtins;
    return allowed === 'all' || allowed?.includes(specifier) ? undefined : `${layer} may not use ${specifier}`;
  }
  return judgePackage(from, specifier);
}

/** Only the line that names the interpreter may stand before the comment. */
function judgeHead(source: string): string[] {
  return /^(?:#![^\n]*\n)?\/\*\*/.test(source) ? [] : ['begins with no comment: state what the file is for'];
}

/** A dynamic `import()` is no statement of its own. */
function judgeImports(code: string): string[] {
  const { length } = code.match(/^import\b(?!\s*\()/gm) ?? [];
  return length > MAX_IMPORTS ? [`${length} imports, over ${MAX_IMPORTS}`] : [];
}

function judgeNames(path: string, code: string): string[] {
  const exported = [
    ...code.matchAll(
      /\bexport\s+(?:declare\s+|abstract\s+|async\s+)*(?:function\*?|const|let|class|interface|type|enum)\s+([\w$]+)/g,
    ),
    ...[...code.matchAll(/\bexport\s+(?:type\s+)?\{([^}]*)\}/g)].flatMap(([, list = '']) => [
      ...list.matchAll(/([\w$]+)\s*(?:,|$)/g),
    ]),
  ].map((match) => match[1] ?? '');
  return [...path.split('/'), ...exported]
    .filter((name) => VAGUE_NAME.test(name))
    .map((name) => `${name} says nothing: no Manager, Helper or Util`);
}

/** Without the name that an import of `node:fs` brings. */
const withoutNames = (source: string): string =>
  source.replace(/import \{[^}]*\} from 'node:fs';/g, (whole) => whole.replace(/\brealpathSync\b/, ''));

/** `path` is relative to src/, with forward slashes. Returns what is wrong with this file, in words. */
export function violations(path: string, source: string): string[] {
  const found: string[] = [];
  const code = codeOnly(source);
  const layer = layerOf(path);
  if (layer === '' && !ENTRIES.includes(path)) found.push('only entries lie directly in src/');
  if (layer !== '' && !LAYERS[layer]) found.push(`src/${layer} is in no row of LAYERS in test/support/suite/layers.ts`);
  const subjects = LAYERS[layer]?.subjects;
  if (subjects && path.split('/').length > 2 && !subjects.includes(subjectOf(path)))
    found.push(`${subjectOf(path)} is no subject of ${layer}: see test/support/suite/layers.ts`);

  const lines = source.split('\n').length - (source.endsWith('\n') ? 1 : 0);
  if (lines > MAX_LINES) found.push(`${lines} lines, over ${MAX_LINES}`);
  found.push(...judgeHead(source), ...judgeImports(code));
  if (/\bexport\s+default\b|\bas\s+default\b/.test(code)) found.push('no default exports');
  found.push(...judgeNames(path, code));

  const specifiers = importsOf(source);
  for (const specifier of new Set(specifiers)) {
    const complaint = judgeImport(path, specifier);
    if (complaint) found.push(complaint);
  }
  const time = TIME.some((pattern) => pattern.test(code)) || specifiers.some((name) => TIMER_MODULES.test(name));
  if (time && !(path in TIME_ALLOWED))
    found.push('reads the clock or sets a timer by itself: take a clock from the caller');
  if (!within(path, PLATFORM) && !(path in SYSTEM_ALLOWED) && SYSTEM.some((pattern) => pattern.test(code)))
    found.push(`asks which system this is: take ${PLATFORM}`);
  const ofSystem = within(path, PLATFORM) || Object.keys(PROCESSES_ALLOWED).some((place) => within(path, place));
  if (!ofSystem && PROCESSES.some((pattern) => pattern.test(source)))
    found.push(`lists or ends processes as one system does: take ${PLATFORM}/process`);
  if (!within(path, PLATFORM) && HELD.test(source))
    found.push(`renames or removes files by itself: take ${PLATFORM}/heldFiles.ts`);
  if (SPELLED_AS_ASKED.some((pattern) => pattern.test(withoutNames(source))))
    found.push(
      'resolves a path in the spelling that was asked for: take realpathSync.native, or realpath of node:fs/promises',
    );
  if (READS_SUBJECT.some((pattern) => pattern.test(code)) && !SUBJECT_ALLOWED.includes(path))
    found.push('reads what a question is about by itself: take core/approval/about.ts');
  return found.map((text) => `src/${path}: ${text}`);
}

/** The order of subjects in the page, its imports and the heads of its files. `path` is relative to webview-ui/src. Returns what is wrong with this file, in words. */
export function pageViolations(path: string, source: string): string[] {
  const from = `page/${path}`;
  const found = importsOf(source).flatMap((specifier) => {
    if (!specifier.startsWith('.')) return [];
    const to = posix.join(posix.dirname(from), specifier);
    return (to.startsWith('page/') ? judgeSubject(from, to) : judgeOutside(to)) ?? [];
  });
  return [...judgeHead(source), ...judgeImports(codeOnly(source)), ...found].map(
    (text) => `webview-ui/src/${path}: ${text}`,
  );
}

/** `to` as seen from webview-ui, e.g. `../src/core/job/view/board.ts`. */
function judgeOutside(to: string): string | undefined {
  const path = to.replace(/^.*?\bsrc\//, '');
  return PAGE.imports.test(path) ? undefined : `the page may not import ${path}`;
}

/** Folders that hold more files than `MAX_FILES`, each with how many. Files of the folders below do not count. */
export function fullFolders(paths: readonly string[]): readonly string[] {
  return [...Map.groupBy(paths, (path) => posix.dirname(path))]
    .filter(([, files]) => files.length > MAX_FILES)
    .map(([folder, { length }]) => `${folder}: ${length} files, over ${MAX_FILES}`);
}

/**
 * A ring of files that import each other, types included: its first file is also its last. Null if there is none. The paths of
 * `sources` are relative to one folder.
 */
export function importCycle(sources: ReadonlyMap<string, string>): readonly string[] | null {
  const checked = new Set<string>();
  const way: string[] = [];
  const follow = (path: string): readonly string[] | null => {
    const source = sources.get(path);
    if (source === undefined || checked.has(path)) return null;
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    way.push(path);
    for (const specifier of importsOf(source)) {
      const cycle = specifier.startsWith('.') ? follow(posix.join(posix.dirname(path), specifier)) : null;
      if (cycle !== null) return cycle;
    }
    way.pop();
    checked.add(path);
    return null;
  };
  for (const path of sources.keys()) {
    const cycle = follow(path);
    if (cycle !== null) return cycle;
  }
  return null;
}
