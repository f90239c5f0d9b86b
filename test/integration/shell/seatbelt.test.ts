/** The command line of the sandbox on macOS, from a faked platform, as a golden text: a change of it must be read. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../support/process/seatbelt.ts', import.meta.url));
const GOLDEN = fileURLToPath(new URL('../../fixtures/seatbelt.txt', import.meta.url));

/** Without what differs between calls and machines. */
function profile(port: string): string {
  const env = { ...process.env, HOME: '/Users/ann' };
  const argv: string[] = JSON.parse(
    execFileSync(process.execPath, [PROGRAM, port], { cwd: '/', env, encoding: 'utf8' }),
  );
  expect(argv.slice(0, 2)).toEqual(['/bin/sh', '-c']);
  return (argv[2] ?? '').replaceAll(/CMD64_\w+=*_END__\w+_SBX/g, 'TAG').replaceAll(/"[^"]*\/vendor"/g, '"VENDOR"');
}

const rule = /^\((allow|deny) (file-read\*|file-write\*)\n((?: {2}.*\n)*)/gm;
/** The last rule of a profile decides. */
function lastFor(text: string, what: string, path: string): string | undefined {
  const rules = [...text.matchAll(rule)].filter(([, , subject]) => subject === what);
  const covers = (body: string) =>
    [...body.matchAll(/\(subpath "([^"]+)"\)/g)].some(([, at = '']) => path === at || path.startsWith(`${at}/`));
  return rules.findLast(([, , , body = '']) => covers(body))?.[1];
}

it.skipIf(process.platform !== 'linux')('is as it was read', () => {
  const text = profile('none');
  if (process.env['GOLDEN'] === 'write') writeFileSync(GOLDEN, `${text}\n`);
  expect(`${text}\n`).toBe(readFileSync(GOLDEN, 'utf8'));
});

it.skipIf(process.platform !== 'linux')('lets a command use its work tree, and nothing of the home around it', () => {
  const text = profile('none');
  const home = '/Users/ann';
  const tree = `${home}/.autonomous/jobs/1/tree`;
  expect(lastFor(text, 'file-read*', `${tree}/src/a.ts`)).toBe('allow');
  expect(lastFor(text, 'file-write*', `${tree}/src/a.ts`)).toBe('allow');
  expect(lastFor(text, 'file-read*', `${tree}/.env`)).toBe('deny');
  for (const path of ['.ssh/id', 'Library/Keychains/login.keychain-db', '.autonomous/jobs/2/tree/a.ts'])
    expect(lastFor(text, 'file-read*', `${home}/${path}`), path).toBe('deny');
  for (const path of ['.npm/_logs/a', '.claude/debug/a'])
    expect(lastFor(text, 'file-write*', `${home}/${path}`)).toBe('deny');
  expect(text).not.toMatch(/securityd|SecurityServer|\(allow network/);
});

it.skipIf(process.platform !== 'linux')('reaches the one local port that it was given', () => {
  expect(profile('4711').match(/\(allow network.*/g)).toEqual([
    '(allow network-outbound (remote ip "localhost:4711"))',
  ]);
});
