/**
 * What the tests leave out on macOS and Windows, each with its reason. A test file is left out by the words in it and in the files of test/support
 * that it imports, so that no list of files goes stale.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { root } from '../setup.mjs';

const LINUX = [
  [/['"`/]proc\/|hidepid/, 'it reads /proc'],
  [/\bunshare\b|\/dev\/shm/, 'it runs programs that only Linux has'],
  [/\bcgroup/i, 'it needs a cgroup'],
];
const POSIX = [
  ...LINUX,
  [/\/bin\/sh\b|'sh', '-c'|#!\/bin/, 'it runs commands of a POSIX shell'],
  [/\b(?:chmod|symlink|mkfifo|chown)(?:Sync)?\(/, 'it makes links, pipes or modes of a Unix'],
  [/\bgetuid\b/, 'it asks for the number of the user'],
  [/SIG(?:STOP|CONT|KILL|TERM|INT)\b/, 'it sends signals'],
];
const WORDS = { darwin: LINUX, win32: POSIX };

/** Suites that do not run on a system. */
const SUITES = {
  darwin: {},
  win32: {
    faults: 'its checker kills processes by signals and reads their files while they are open',
    hostile: 'its attacks are written for a POSIX shell and file system',
    editor: 'the package code-server, which contains the VS Code of the tests, is not made for Windows',
  },
};

/** In these files the words are data, or stand behind a question for the system. */
const PORTABLE = ['test/unit/architecture.test.ts', 'test/support/shell/shell.ts'];

const IMPORT = /from '(\.[^']+)'/g;
const texts = new Map();
const textOf = (file) => {
  if (!texts.has(file)) texts.set(file, readFileSync(join(root, file), 'utf8'));
  return texts.get(file);
};

/** The files that a test imports from test/support, directly or through others of them. */
function withSupport(file) {
  const found = new Set([file]);
  for (const one of found) {
    for (const [, path] of textOf(one).matchAll(IMPORT)) {
      const next = posix.join(posix.dirname(one), path);
      if (next.startsWith('test/support/') && next.endsWith('.ts')) found.add(next);
    }
  }
  return [...found];
}

/** Why a test file is left out; null if it runs. @param {string} platform @param {string} file */
export function reasonFor(platform, file) {
  const files = withSupport(file).filter((one) => !PORTABLE.includes(one));
  for (const [words, reason] of WORDS[platform] ?? []) if (files.some((one) => words.test(textOf(one)))) return reason;
  return null;
}

/** Why a suite is left out; undefined if it runs. @param {string} suite @param {string} [platform] */
export const suiteReason = (suite, platform = process.platform) => SUITES[platform]?.[suite];

const testsIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join(folder, path.split(sep).join('/')))
    .filter((path) => path.endsWith('.test.ts'));

/** The test files that do not run on this system, with the reason of each. @param {string} [platform] */
export function leftOut(platform = process.platform) {
  if (WORDS[platform] === undefined) return [];
  const folders = readdirSync(join(root, 'test')).filter((name) => !['support', 'fixtures', 'windows'].includes(name));
  return folders.flatMap((name) =>
    testsIn(`test/${name}`).flatMap((file) => {
      const reason = suiteReason(name, platform) ?? reasonFor(platform, file);
      return reason === null ? [] : [{ file, reason }];
    }),
  );
}

/** A line for each reason, with the number of files. @param {string} [platform] */
export function leftOutLines(platform = process.platform) {
  const files = leftOut(platform);
  return [...new Set(files.map(({ reason }) => reason))].map((reason) => {
    const count = files.filter((one) => one.reason === reason).length;
    return `left out on ${platform}: ${count} test files: ${reason}`;
  });
}
