/** The program on Node for Windows, with Git for Windows: on Windows, or on Linux in wine. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { nodeBundle } from '../../esbuild.mjs';
import { testPrograms, WASM_FILE } from '../support/process/testPrograms.ts';
import { IS_WINE, startWindows, type Windows, type WindowsRun, windowsPath } from '../support/process/windows.ts';
import { fc } from '../support/suite/property.ts';

const tempRoot = inject('tempRoot');
const programs = await testPrograms(tempRoot);
let windows: Windows;

beforeAll(async () => {
  windows = await startWindows(tempRoot);
});
afterAll(() => windows[Symbol.asyncDispose]());

const folder = (): string => mkdtempSync(join(tempRoot, 'w-'));

test('the demo is planned, worked on, checked, reviewed and merged', async () => {
  const cli = windowsPath(fileURLToPath(programs.program('cli')));
  const { code, stdout, stderr } = await windows.node([cli, 'demo'], folder());
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Features  9: 9 completed');
  expect(stdout).toMatch(/Result {4}merged into main at [0-9a-f]{9}/);
  expect(stdout).toContain('Commands  19 of 19 verify commands ran UNCONFINED, without a sandbox');
});

test('doctor finds the programs, and states that there is no sandbox', async () => {
  const cli = windowsPath(fileURLToPath(programs.program('cli')));
  const { stdout } = await windows.node([cli, 'doctor'], folder());
  expect(stdout).toMatch(/ok +git: 2\.\d+/);
  expect(stdout).toMatch(/ok +runtime-dir: C:\\users\\.*\\AppData\\Local\\autonomous\\run/i);
  expect(stdout).toContain('there is no sandbox for windows');
  expect(stdout).toMatch(
    IS_WINE
      ? /unknown +job-objects: what a command leaves running is not ended/
      : /ok +job-objects: Windows PowerShell can hold/,
  );
});

test('a script of cmd receives every argument as it was given', async () => {
  const place = join(folder(), 'a b (c) & d');
  mkdirSync(place);
  const entry = fileURLToPath(new URL('../fixtures/windows/startScript.ts', import.meta.url));
  const outfile = join(place, 'startScript.mjs');
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' });
  writeFileSync(join(place, 'print.js'), 'console.log(JSON.stringify(process.argv.slice(2)))');
  writeFileSync(join(place, 'print.cmd'), '@node "%~dp0print.js" %*\r\n');
  // Without % in wine: its cmd takes one away, that of Windows does not.
  const word = fc.stringMatching(IS_WINE ? /^[\x20-\x24\x26-\x7e]{0,10}$/ : /^[\x20-\x7e]{0,10}$/);
  const lists = [
    ['^', '"', '\\', 'a b', '', '!x!', '&|<>()', 'C:\\a b\\', '\\"', '\\\\"'],
    ...fc.sample(fc.array(word, { maxLength: 5 }), 100),
  ];
  writeFileSync(join(place, 'lists.json'), JSON.stringify(lists));
  const args = [outfile, join(place, 'print.cmd'), join(place, 'lists.json')].map(windowsPath);
  const { stdout, stderr } = await windows.node(args, place);
  expect(stderr).toBe('');
  const received: readonly (readonly string[])[] = JSON.parse(stdout);
  expect(received).toHaveLength(lists.length);
  const wrong = lists.flatMap((given, at) =>
    JSON.stringify(given) === JSON.stringify(received[at]) ? [] : [{ given, received: received[at] }],
  );
  expect(wrong).toEqual([]);
});

/** Whether a process of this number exists. */
const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Runs a command without a sandbox, which starts a process that leaves it and prints its number. */
async function commandThatLeaves(then: string): Promise<{ result: WindowsRun; left: number }> {
  const place = folder();
  const entry = fileURLToPath(new URL('../support/process/unconfinedHost.ts', import.meta.url));
  const outfile = join(place, 'host.mjs');
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
  writeFileSync(
    join(place, 'leave.js'),
    `const { spawn } = require('child_process');
     const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600000)'], { detached: true, stdio: 'ignore' });
     child.unref();
     require('fs').writeFileSync('left', String(child.pid));`,
  );
  const result = await windows.node([outfile, place, `node leave.js ${then}`, '20000'], place);
  return { result, left: Number(readFileSync(join(place, 'left'), 'utf8')) };
}

test.skipIf(IS_WINE)('what a command started ends with it (not in wine, which has no PowerShell)', async () => {
  const { result, left } = await commandThatLeaves('');
  expect(JSON.parse(result.stdout)).toMatchObject({ exitCode: 0, ended: null });
  expect(exists(left)).toBe(false);
});

test.skipIf(IS_WINE)(
  'what a command started ends at its time limit (not in wine, which has no PowerShell)',
  async () => {
    const { result, left } = await commandThatLeaves('&& node -e "setTimeout(() => {}, 600000)"');
    expect(JSON.parse(result.stdout)).toMatchObject({ exitCode: null, ended: 'timeout' });
    expect(exists(left)).toBe(false);
  },
);

test('owners are kept apart by their claims, also at two paths of one folder', async () => {
  const place = folder();
  const entry = fileURLToPath(new URL('../fixtures/windows/owners.ts', import.meta.url));
  const outfile = join(place, 'owners.mjs');
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' });
  const program = fileURLToPath(programs.program('startingOwner'));
  const { stdout, stderr } = await windows.node([outfile, program, WASM_FILE, folder()].map(windowsPath), place);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    machine: { machine: expect.stringMatching(/^[0-9a-f-]{36}$/), host: expect.any(String), boot: '', space: '' },
    states: 1,
    atOnce: ['OWNER_BUSY OWNER_BUSY owner'],
    underTwoPaths: ['owner', 'OWNER_BUSY', 'owner'],
  });
});

test('a file that is open without sharing is waited for, by our own operations and by git', async () => {
  const place = folder();
  const entry = fileURLToPath(new URL('../fixtures/windows/heldFiles.ts', import.meta.url));
  await build({ ...nodeBundle([entry], place), entryNames: '[name]', sourcemap: false });
  writeFileSync(join(place, 'package.json'), '{"type":"module"}');
  const { stdout, stderr } = await windows.node([join(place, 'heldFiles.js'), place].map(windowsPath), place);
  expect(stderr).toBe('');
  const held = (file: string) => ['done', expect.stringContaining(`${file} is held by another program`)];
  const git = (command: string) => ['done', expect.stringContaining(`git ${command} waits for a file`)];
  expect(JSON.parse(stdout)).toEqual([
    ...['\\a', '\\d', '\\e', '\\folder'].map(held),
    ...['add', 'read-tree', 'clean', 'read-tree'].map(git),
  ]);
});
