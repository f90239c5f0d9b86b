/**
 * Runs test/host/suite inside a real VS Code. Flags: --report=FILE (counts in the form of vitest's JSON),
 * --extension=FOLDER (another one than this repository, built already), --verbose (VS Code's own console).
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { root } from '../../scripts/setup.mjs';
import { ensureVsCode, openBrowser, startServer, workbenchUrl } from '../../scripts/vscode.mjs';
import { makeRepository } from '../../src/compose/demo.ts';
import type { Result } from './suite/registry.ts';

const SUITE_MS = 210_000;
const { values: flags } = parseArgs({
  options: { report: { type: 'string' }, extension: { type: 'string' }, verbose: { type: 'boolean', default: false } },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function bundleSuite(folder: string): Promise<string> {
  const outfile = join(folder, 'suite.js');
  const entry = join(root, 'test', 'host', 'suite', 'index.ts');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return outfile;
}

/** Resolves to the exit code that VS Code gives when `run()` of the suite is over. */
async function openAndWait(url: string, editor: Awaited<ReturnType<typeof ensureVsCode>>): Promise<number> {
  const browser = await openBrowser(editor);
  try {
    const page = await browser.newPage();
    const log = (type: string, args: readonly unknown[]): void => {
      if (flags.verbose) print(`  ${type}: ${args.map(String).join(' ')}`);
    };
    await page.exposeFunction('codeAutomationLog', log);
    const exit = new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the suite did not end within 210 s')), SUITE_MS);
      const finish = (code: number): void => {
        clearTimeout(timer);
        resolve(code);
      };
      page.exposeFunction('codeAutomationExit', finish).catch(reject);
      page.once('crash', () => reject(new Error('the page of VS Code crashed')));
    });
    await page.goto(url);
    return await exit;
  } finally {
    await browser.close();
  }
}

const readResults = (file: string): readonly Result[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];

/** The few fields of vitest's report that the closing line of `npm test` is counted from. */
function report(results: readonly Result[], code: number): number {
  for (const { name, ms, error } of results) {
    print(`${error === null ? ' ✓' : ' ✗'} ${name} ${ms} ms`);
    if (error !== null) print(error.replaceAll(/^/gm, '     '));
  }
  const failed = results.filter(({ error }) => error !== null).length;
  // VS Code ended in another way than by a failed test: one failure of its own.
  const broken = failed === 0 && (code !== 0 || results.length === 0) ? 1 : 0;
  const numPassedTests = results.length - failed;
  const counts = {
    numPassedTests,
    numFailedTests: failed + broken,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [],
  };
  if (flags.report) writeFileSync(flags.report, JSON.stringify(counts));
  if (broken > 0) print(`VS Code ended with ${code} after ${results.length} tests`);
  print(`host: ${numPassedTests} passed, ${failed + broken} failed`);
  return failed + broken === 0 ? 0 : 1;
}

async function main(): Promise<number> {
  const editor = await ensureVsCode();
  const folder = mkdtempSync(join(tmpdir(), 'ah-'));
  const results = join(folder, 'results.jsonl');
  try {
    const payload = {
      extensionDevelopmentPath: flags.extension ?? root,
      extensionTestsPath: await bundleSuite(folder),
    };
    const workspace = join(folder, 'sheet');
    await makeRepository(workspace);
    const server = await startServer(editor, { folder, env: { HOST_TEST_REPORT: results } });
    try {
      const code = await openAndWait(workbenchUrl(server.url, workspace, payload), editor);
      return report(readResults(results), code);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

process.exitCode = await main();
