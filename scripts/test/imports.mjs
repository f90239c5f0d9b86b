/**
 * Finds the test files that a change can affect, by the imports of the repository. There are two kinds of edges: imports, as esbuild resolves them,
 * and mentions: a string in a file that ends with the name of another file (`'src/worker.ts'`, `join(root, 'docs', 'cli.md')`, `dist/cli.js`). Only
 * tests and their shared files have mentions. Mentions may select too many tests, never too few.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../setup.mjs';

/** A string that names a file, with the preceding strings if several form the path: `'docs', 'cli.md'`. */
const MENTION = /(?:['"`]([\w./-]+)['"`],\s*)?(?:['"`]([\w./-]+)['"`],\s*)?['"`]([\w./-]+\.\w+)['"`]/g;
const SOURCE = /\.(tsx?|mjs)$/;
/** What these say holds for every test. */
const EVERYTHING =
  /^(package(-lock)?\.json|tsconfig\.json|vitest\.config\.ts|esbuild\.mjs|\.npmrc|scripts\/(setup|test)\.mjs|scripts\/test\/.*|test\/support\/(env|tempRoot)\.ts)$/;
/** What no suite that is chosen by its imports reads: documents belong to the unit tests, which always run whole. */
const NOTHING =
  /\.md$|^docs\/|^bench\/|^\.(vscode|githooks|ci|github)\/|^(LICENSE|NOTICE)$|^test\/unit\/|^media\/screenshots\//;

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);

/** Files that differ from a commit, untracked files included. Throws if git does not know the commit. @param {string} ref */
export function changedSince(ref) {
  const changed = git('diff', '--name-only', '--no-renames', '-z', ref);
  return [...new Set([...changed, ...git('ls-files', '--others', '--exclude-standard', '-z')])].sort();
}

/** The commit that `--changed` without a name compares with: where this branch left its upstream, else the last commit. */
export function defaultBase() {
  try {
    return git('merge-base', 'HEAD', '@{upstream}')[0].trim();
  } catch {
    return 'HEAD'; // there is no upstream
  }
}

/** The path and the sources that it can be built from, for example of `dist/cli.js` and `./worker.js`. */
const withSources = (path) =>
  path.endsWith('.js') ? [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.mjs')] : [path];

/**
 * The files whose path ends with what a string of `file` names. A path that starts with a dot is resolved from the file.
 * @param {string} file
 * @param {string} source
 * @param {ReadonlyMap<string, readonly string[]>} byName the files of the repository by their last part
 */
export function mentionsIn(file, source, byName) {
  const found = new Set();
  for (const [, before = '', between = '', last = ''] of source.matchAll(MENTION)) {
    const whole = last.startsWith('.')
      ? posix.join(posix.dirname(file), last)
      : [before, between, last].filter(Boolean).join('/');
    for (const path of withSources(whole)) {
      const candidates = byName.get(posix.basename(path)) ?? [];
      const exact = candidates.filter((one) => one === path || one.endsWith(`/${path}`));
      // `join(folder, 'dist', 'cli.js')`: the folder depends on the test.
      const loose = last.includes('/') || last.startsWith('.') ? [] : candidates;
      for (const one of exact.length > 0 ? exact : loose) found.add(one);
    }
  }
  found.delete(file);
  return [...found];
}

/** Everything that `starts` reach. @param {readonly string[]} starts @param {ReadonlyMap<string, readonly string[]>} edges */
export function reachable(starts, edges) {
  const found = new Set(starts);
  for (const file of found) for (const next of edges.get(file) ?? []) found.add(next);
  return found;
}

/** Where each source file of the repository leads. Takes some seconds. */
export async function importGraph() {
  const { build } = await import('esbuild');
  const files = git('ls-files', '--cached', '--others', '--exclude-standard', '-z').filter((file) =>
    existsSync(join(root, file)),
  );
  const sources = files.filter((file) => SOURCE.test(file) && !file.endsWith('.d.ts'));
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: sources,
    outdir: 'nowhere',
    entryNames: '[dir]/[name]-[hash]',
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    external: ['*.css', '*.ttf', '*.json'],
    platform: 'node',
    format: 'esm',
    splitting: true,
    jsx: 'automatic',
    logLevel: 'error',
  });
  const byName = groupByName(files);
  const edges = new Map();
  for (const [file, { imports }] of Object.entries(metafile.inputs)) {
    const imported = imports.map(({ path }) => path).filter((path) => !path.includes('node_modules'));
    const mentioned = file.startsWith('test/') ? mentionsIn(file, readFileSync(join(root, file), 'utf8'), byName) : [];
    edges.set(file, [...imported, ...mentioned]);
  }
  return edges;
}

function groupByName(files) {
  const groups = new Map();
  for (const file of files) groups.set(posix.basename(file), [...(groups.get(posix.basename(file)) ?? []), file]);
  return groups;
}

/**
 * @param {readonly string[]} changed
 * @returns {'everything' | 'nothing' | readonly string[]} the changed files that a choice by imports has to follow
 */
export function toFollow(changed) {
  if (changed.some((file) => EVERYTHING.test(file))) return 'everything';
  const left = changed.filter((file) => !NOTHING.test(file));
  return left.length === 0 ? 'nothing' : left;
}

/**
 * Those of `starts` that reach a changed file; all of them if a file was changed that no import and no mention leads to.
 * @param {readonly string[]} starts
 * @param {readonly string[]} changed
 * @param {ReadonlyMap<string, readonly string[]>} edges
 */
export function affected(starts, changed, edges) {
  const known = new Set([...edges.keys(), ...[...edges.values()].flat()]);
  if (changed.some((file) => !known.has(file))) return [...starts];
  return starts.filter((start) => {
    const closure = reachable([start], edges);
    return changed.some((file) => closure.has(file));
  });
}
