import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fullFolders, importCycle, pageViolations, violations } from '../support/suite/architecture.ts';
import { biomeLayers } from '../support/suite/biomeLayers.ts';
import { LAYERS, PAGE, PROCESSES_ALLOWED, SYSTEM_ALLOWED, TIME_ALLOWED, WALLS } from '../support/suite/layers.ts';
import { codeOnly, importsOf } from '../support/suite/sourceScan.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const src = join(root, 'src');
const page = join(root, 'webview-ui', 'src');

function sources(folder = src): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => path.split(sep).join('/'));
}

describe('the source tree', () => {
  it('keeps to the layers, names, sizes, number of imports and clock', () => {
    const all = sources();
    expect(all.length).toBeGreaterThan(0);
    expect(all.flatMap((path) => violations(path, readFileSync(join(src, path), 'utf8')))).toEqual([]);
  });

  it('keeps to the order of subjects and the number of imports in the page', () => {
    const all = sources(page);
    expect(all.length).toBeGreaterThan(0);
    expect(all.flatMap((path) => pageViolations(path, readFileSync(join(page, path), 'utf8')))).toEqual([]);
  });

  const files = ['src', 'webview-ui/src'].flatMap((folder) =>
    sources(join(root, folder)).map((path) => `${folder}/${path}`),
  );

  it('has no folder that is too full to read', () => {
    expect(fullFolders(files)).toEqual([]);
  });

  it('has the import bans of the editor as these tables say', () => {
    expect(readFileSync(join(root, 'biome.layers.json'), 'utf8'), 'run npm run layers').toBe(biomeLayers());
  });

  it('has no cycle of imports, types included', () => {
    expect(importCycle(new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')])))).toBeNull();
  });

  it('has each subject of the tables as a folder or a file', () => {
    const named = Object.entries({ ...LAYERS, page: PAGE }).flatMap(([layer, { subjects }]) =>
      (subjects ?? []).map((subject) => join(layer === 'page' ? page : join(src, layer), subject)),
    );
    expect(named.filter((path) => !['', '.ts', '.tsx'].some((ending) => existsSync(path + ending)))).toEqual([]);
  });

  it('has no leftover permission to ask for the system', () => {
    const others = Object.keys(SYSTEM_ALLOWED);
    expect(others.filter((path) => !/process\.(?:platform|env)/.test(readFileSync(join(src, path), 'utf8')))).toEqual(
      [],
    );
  });

  it('has no leftover permission to list or end processes', () => {
    const others = Object.keys(PROCESSES_ALLOWED);
    expect(others.filter((path) => !existsSync(join(src, path)))).toEqual([]);
  });

  it('has no leftover permission to read the clock', () => {
    const others = Object.keys(TIME_ALLOWED).filter((path) => path !== 'adapters/clock.ts');
    expect(others.filter((path) => !existsSync(join(src, path)))).toEqual([]);
  });
});

/** A subject of a layer and one that it may not import, for each pair of neighbours and each wall. */
const FORBIDDEN: readonly (readonly [layer: string, mine: string, theirs: string])[] = [
  ...Object.entries(LAYERS).flatMap(([layer, { subjects }]) =>
    (subjects ?? []).slice(1).map((later, nth) => [layer, subjects?.[nth] ?? '', later] as const),
  ),
  ...Object.entries(WALLS).map(([place, allowed]) => {
    const [layer = '', mine = ''] = place.split('/');
    const before = LAYERS[layer]?.subjects?.slice(0, LAYERS[layer]?.subjects?.indexOf(mine)) ?? [];
    return [layer, mine, before.find((name) => !allowed.includes(name)) ?? ''] as const;
  }),
];

describe('the rules can fail', () => {
  const good: [string, string][] = [
    ['shared/a.ts', "import { z } from 'zod';\nexport const a = z.string();"],
    ['core/job/a.ts', "import type { B } from '../../shared/job/b.ts';\nexport type A = B;"],
    [
      'core/job/b.ts',
      "export const iso = (ms: number) => new Date(ms); // not Date.now()\nexport const s = 'setTimeout(1)';",
    ],
    ['engine/job/a.ts', 'export const wait = (clock: Clock) => clock.setTimeout(1);\nexport const u = clock.now();'],
    [
      'adapters/git/job/clone.ts',
      "import { simpleGit } from 'simple-git';\nimport type { G } from '../../../engine/job/gitPorts.ts';",
    ],
    ['adapters/http/app.ts', "import type { D } from '../../engine/task/ask/apiPorts.ts';"],
    ['adapters/git/job/clone.ts', "import { readFile } from 'node:fs/promises';\nimport { x } from './x.ts';"],
    ['adapters/http/app.ts', "import { hostsOf } from '../loopback/caller.ts';"],
    ['adapters/platform/a.ts', "export const a = process.platform === 'win32';"],
    ['adapters/platform/process/a.ts', "export const a = () => process.kill(1, 'SIGKILL');"],
    ['adapters/shell/sandbox/a.ts', "export const a = '/proc/self/ns/net';"],
    ['adapters/git/a.ts', "import { realpathSync } from 'node:fs';\nexport const a = realpathSync.native('/b');"],
    ['adapters/git/a.ts', "import { realpath } from 'node:fs/promises';"],
    ['adapters/clock.ts', 'export const now = () => Date.now();'],
    ['worker.ts', "import { x } from './adapters/git/x.ts';\nimport { y } from './engine/job/y.ts';"],
    ['terminal/job/run.ts', "const board = await import('./board.ts');"],
    ['terminal/runTerminal.ts', "import { program } from './verbs/program.ts';"],
    ['engine/project/a.ts', "import { b } from '../job/work/b.ts';"],
  ];
  it.each(good)('accepts %s: %s', (path, source) => {
    expect(violations(path, `/** For a test. */\n${source}`)).toEqual([]);
  });

  const bad: [string, string, string][] = [
    ['shared/a.ts', 'shared may not import core', "import { b } from '../core/b.ts';"],
    ['shared/a.ts', 'shared may not use node:path', "import { join } from 'node:path';"],
    ['core/a.ts', 'core may not import engine', "export { b } from '../engine/b.ts';"],
    ['engine/session/a.ts', 'engine may not use node:fs', "import { readFile } from 'node:fs';"],
    ['terminal/job/a.ts', 'above the subjects', "import { run } from '../runTerminal.ts';"],
    ['engine/misc/a.ts', 'misc is no subject', 'export const a = 1;'],
    ['engine/a.ts', 'engine may not import adapters', "const g = await import('../adapters/git/g.ts');"],
    ['engine/a.ts', 'engine may not import an entry', "import { a } from '../cli.ts';"],
    ['engine/a.ts', 'write the extension', "import { a } from '../core/a';"],
    ['engine/a.ts', 'plain string', 'const g = await import(name);'],
    ['adapters/git/a.ts', 'another adapter', "import { s } from '../sqlite/s.ts';"],
    ['adapters/loopback/a.ts', 'another adapter', "import { s } from '../http/serveApi.ts';"],
    ['adapters/git/a.ts', 'adapters may not import engine', "import { s } from '../../engine/job/loop.ts';"],
    ['adapters/http/a.ts', 'adapters may not import engine', "import { D } from '../../engine/task/ask/apiDesk.ts';"],
    ['adapters/git/a.ts', 'only in adapters/sqlite', "import initSqlJs from 'sql.js';"],
    ['adapters/git/a.ts', 'in no row of LIBRARIES', "import x from 'left-pad';"],
    ['terminal/a.ts', 'terminal may not import adapters', "import { s } from '../adapters/sqlite/s.ts';"],
    [
      'core/a.ts',
      'only in core/money/price/prices.ts',
      "import p from '../../assets/prices.json' with { type: 'json' };",
    ],
    ['core/a.ts', 'in no row of COMPILED_ASSETS', "import p from '../../assets/b.json' with { type: 'json' };"],
    ['terminal/a.ts', 'only in vscode', "import * as vscode from 'vscode';"],
    ['cli.ts', 'vscode belongs to', "import * as vscode from 'vscode';"],
    ['other.ts', 'only entries', 'export const a = 1;'],
    ['misc/a.ts', 'in no row of LAYERS', 'export const a = 1;'],
    ['core/jobManager.ts', 'jobManager.ts says nothing', 'export const a = 1;'],
    ['core/a.ts', 'GitHelper says nothing', 'export class GitHelper {}'],
    ['core/a.ts', 'stringUtils says nothing', 'export const stringUtils = 1;'],
    ['core/a.ts', 'fileUtil says nothing', 'const fileUtil = 1;\nexport { fileUtil };'],
    ['core/a.ts', 'begins with no comment', 'export const a = 1;'],
    ['core/a.ts', 'no default exports', 'export default 1;'],
    ['core/a.ts', '501 lines', 'const a = 1;\n'.repeat(501)],
    ['core/a.ts', 'reads what a question is about', "export const a = row.subject.startsWith('limit:');"],
    ['vscode/a.ts', 'reads what a question is about', 'export const a = /:KEY_/.test(row.subject);'],
    ['engine/a.ts', 'reads what a question is about', "export const a = row.subject === 'setup';"],
    ['adapters/a.ts', 'asks which system', "export const a = process.platform === 'win32';"],
    ['vscode/a.ts', 'asks which system', 'export const a = process.env;'],
    ['adapters/a.ts', 'asks which system', "import { devNull } from 'node:os';"],
    ['adapters/a.ts', 'lists or ends processes', "export const a = '/proc/self/stat';"],
    ['adapters/shell/process/a.ts', 'lists or ends processes', "export const a = () => process.kill(1, 'SIGKILL');"],
    ['engine/a.ts', 'lists or ends processes', "export const a = ['/bin/sh', '-c'];"],
    ['adapters/a.ts', 'renames or removes', "import { readFile, rm } from 'node:fs/promises';"],
    ['adapters/a.ts', 'spelling', "import { realpathSync } from 'node:fs';\nexport const a = realpathSync('/b');"],
    ['adapters/a.ts', 'spelling', "import { realpathSync } from 'node:fs';\nexport const real = realpathSync;"],
    ['adapters/a.ts', 'spelling', "import fs from 'node:fs';\nexport const a = fs.realpathSync('/b');"],
    ['adapters/a.ts', 'spelling', "import { lstat, realpath } from 'node:fs';"],
    ['core/a.ts', 'reads the clock', 'export const a = Date.now();'],
    ['core/a.ts', 'reads the clock', 'export const a = new Date();'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the example is the source of a template
    ['core/a.ts', 'reads the clock', "export const a = `${new Date().toISOString()} 'x`;"],
    ['engine/a.ts', 'reads the clock', 'setTimeout(() => go(), 5);'],
    ['adapters/git/a.ts', 'reads the clock', "import { setTimeout as sleep } from 'node:timers/promises';"],
    ['adapters/git/a.ts', 'reads the clock', 'const t = globalThis.setInterval(go, 5);'],
  ];
  it.each(bad)('refuses %s: %s', (path, complaint, source) => {
    expect(violations(path, source).join('\n')).toContain(complaint);
  });

  it.each(FORBIDDEN)('refuses that %s/%s imports %s', (layer, mine, theirs) => {
    expect(violations(`${layer}/${mine}/a.ts`, `import type { B } from '../${theirs}/b.ts';`).join('\n')).toContain(
      `${mine} may not import ${theirs}`,
    );
  });

  it.each([
    ['ui/a.ts', 'export const a = 1;', 'begins with no comment'],
    ['ui/a.ts', "import { b } from '../job/b.ts';", 'ui may not import job'],
    ['job/a.ts', "import { b } from '../../../src/engine/job/b.ts';", 'the page may not import engine/job/b.ts'],
    ['job/a.ts', "import { b } from '../../../src/core/job/nextAction.ts';", 'the page may not import core'],
  ])('refuses %s of the page: %s', (path, source, complaint) => {
    expect(pageViolations(path, source).join('\n')).toContain(complaint);
  });

  it('refuses a file with too many imports, in both trees', () => {
    const many = `/** For a test. */\n${"import { a } from './a.ts';\n".repeat(20)}`;
    const lazy = `${many}const b = await import('./b.ts');\nimport('./c.ts');\n`;
    expect([...violations('core/job/d.ts', lazy), ...pageViolations('job/d.ts', lazy)]).toEqual([]);
    const more = `${many}import type {\n  B,\n} from './b.ts';\n`;
    expect(violations('core/job/d.ts', more)).toEqual(['src/core/job/d.ts: 21 imports, over 20']);
    expect(pageViolations('job/d.ts', more)).toEqual(['webview-ui/src/job/d.ts: 21 imports, over 20']);
  });

  it('refuses a folder with too many files', () => {
    const many = Array.from({ length: 16 }, (_, nth) => `src/core/job/a${nth}.ts`);
    expect(fullFolders(many)).toEqual(['src/core/job: 16 files, over 15']);
    expect(fullFolders([...many.slice(1), 'src/core/job/deep/b.ts'])).toEqual([]);
  });
});

describe('the search for cycles', () => {
  const two = (theirs: string): ReadonlyMap<string, string> =>
    new Map([
      ['src/core/a.ts', "import { b } from './deep/b.ts';"],
      ['src/core/deep/b.ts', theirs],
      ['webview-ui/src/c.ts', "import type { A } from '../../src/core/a.ts';"],
    ]);

  it.each([
    "import type { A } from '../a.ts';",
    "export type B = import('../a.ts').A;",
    "export { a } from '../a.ts';",
  ])('refuses %s in a file that the other one imports', (theirs) =>
    expect(importCycle(two(theirs))).toEqual(['src/core/a.ts', 'src/core/deep/b.ts', 'src/core/a.ts']),
  );

  it('accepts files that are imported on several ways', () => {
    expect(
      importCycle(new Map([...two(''), ['src/d.ts', "import './core/a.ts';\nimport './core/deep/b.ts';"]])),
    ).toBeNull();
  });
});

describe('the source reader', () => {
  it('finds every kind of import and ignores comments and strings', () => {
    const source = [
      "import a from 'a';",
      "import type { B } from './b.ts'; // import x from 'x'",
      "import 'side';",
      "/* import y from 'y' */ export * from 'star';",
      'const c = await import("dyn");',
      'const text = \'import z from "z"\';',
      "const quote = /['\"]/.test(text); const d = 4 / 2 / 1; import late from 'late';",
    ].join('\n');
    expect(importsOf(source)).toEqual(['a', './b.ts', 'side', 'star', 'dyn', 'late']);
  });

  it('keeps the code inside a template', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the example is the source of a template
    expect(codeOnly('const a = `x ${b(`${c}`)} y`; // d')).toContain('b(');
    expect(codeOnly("const a = 'setTimeout(';")).not.toContain('setTimeout');
  });
});
