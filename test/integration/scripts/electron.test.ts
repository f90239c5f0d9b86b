/** The launcher of the desktop VS Code, with a stand-in for that one, which no test can download. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { node24, root } from '../../../scripts/setup.mjs';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'electron-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes down how it was started, then does what `body` says. */
function standIn(body: string): string {
  const file = join(folder, 'code');
  const script = `#!${node24}
const { appendFileSync, existsSync, writeFileSync } = require('node:fs');
const [project] = process.argv.slice(2);
const tests = process.argv.find((word) => word.startsWith('--extensionTestsPath=')).split('=')[1];
const seen = { args: process.argv.slice(2), git: existsSync(project + '/.git'), run: typeof loaded(tests) };
writeFileSync(${JSON.stringify(join(folder, 'seen.json'))}, JSON.stringify(seen));
const tell = (error) => appendFileSync(process.env.HOST_TEST_REPORT, JSON.stringify({ name: 'it', ms: 1, error }) + '\\n');
function loaded(path) {
  const { Module } = require('node:module');
  const load = Module._load;
  Module._load = (name, ...rest) => (name === 'vscode' ? {} : load(name, ...rest));
  return require(path).run;
}
${body}
`;
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  return file;
}

function launch(args: readonly string[], env: Record<string, string> = {}): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    const program = join(root, 'test', 'host', 'electron.ts');
    execFile(node24, [program, ...args], { env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), out: stdout + stderr });
    });
  });
}

// The stand-in is a script.
describe.skipIf(process.platform === 'win32')('the launcher', () => {
  it('opens a sample repository with the extension and its suite, apart from the settings of the person', async () => {
    const { code, out } = await launch([`--executable=${standIn('tell(null);')}`, '--extension=/somewhere']);
    expect(out).toContain('electron: 1 passed, 0 failed');
    expect(code).toBe(0);
    const { args, git, run } = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'));
    expect(git).toBe(true);
    expect(run).toBe('function');
    expect(args).toContain('--extensionDevelopmentPath=/somewhere');
    expect(args.filter((word: string) => /^--(user-data|extensions)-dir=/.test(word))).toHaveLength(2);
  });

  it.each([
    ['a test failed', "tell('it broke'); process.exit(1);", 'it broke'],
    ['VS Code ended before its tests', 'process.exit(0);', 'VS Code ended after 0 tests'],
    ['VS Code died', "process.kill(process.pid, 'SIGKILL');", 'VS Code ended after 0 tests'],
  ])('fails when %s', async (_, body, words) => {
    const { code, out } = await launch([`--executable=${standIn(body)}`]);
    expect(out).toContain(words);
    expect(code).toBe(1);
  });
});

it('says what to do when VS Code cannot be downloaded', async () => {
  const nowhere = { npm_config_https_proxy: 'http://127.0.0.1:1', npm_config_proxy: 'http://127.0.0.1:1' };
  const { code, out } = await launch(['--version=1.108.0'], nowhere);
  expect(out).toMatch(/VS Code could not be downloaded: .*--executable=FILE/s);
  expect(code).toBe(1);
});
