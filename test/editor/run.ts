/**
 * Uses the packaged extension in a real VS Code as a person does. Flags: --only=WORDS (the tests whose name has them; several
 * times: any of them), --screenshots=FOLDER (takes pictures on the way), --vsix=FILE (packed already), --report=FILE (counts
 * in the form of vitest's JSON), --times=N (each test so often, and none a second time when it fails: to find what fails now
 * and then). A failed test leaves a picture of its window in --screenshots, or in the folder AUTONOMOUS_TEST_PICTURES.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, run } from '../../scripts/setup.mjs';
import { ensureVsCode, installExtension, openBrowser } from '../../scripts/vscode.mjs';
import { stopSignal } from '../support/endings.ts';
import { hasFailed, type Result, told, twice, writeReport } from '../support/suiteReport.ts';
import { SHOOTING, TESTS, type Test } from './tests.ts';
import type { World } from './world.ts';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    screenshots: { type: 'string' },
    vsix: { type: 'string' },
    report: { type: 'string' },
    times: { type: 'string' },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function packed(): Promise<string> {
  if (flags.vsix) return flags.vsix;
  const code = await run('node', ['scripts/package.mjs'], { stdio: 'inherit' });
  if (code !== 0) throw new Error(`npm run package ended with ${code}: see above.`);
  return join(root, 'autonomous.vsix');
}

let attempts = 0;

/** Below a folder of its own. */
async function attempt({ name, body }: Test, around: World): Promise<Result> {
  const start = performance.now();
  const end = (error: string | null): Result => ({ name, ms: Math.round(performance.now() - start), error });
  attempts += 1;
  const folder = join(around.folder, String(attempts));
  mkdirSync(folder);
  try {
    await body({ ...around, folder });
    return end(null);
  } catch (thrown) {
    return end(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
  }
}

/** In a browser of its own, too. */
async function again(test: Test, world: World): Promise<Result> {
  const browser = await openBrowser(world.editor);
  try {
    return await attempt(test, { ...world, browser });
  } finally {
    await browser.close();
  }
}

async function runAll(tests: readonly Test[], world: World): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const test of Array.from({ length: Number(flags.times ?? 1) }, () => tests).flat()) {
    const result = await (flags.times === undefined
      ? twice((number) => (number === 1 ? attempt(test, world) : again(test, world)), world.stop)
      : attempt(test, world));
    print(told(result));
    results.push(result);
    if (world.stop.aborted) throw world.stop.reason;
  }
  return results;
}

/** A folder that is wanted, made; null: none is. */
function made(folder: string | undefined): string | null {
  if (!folder) return null;
  mkdirSync(folder, { recursive: true });
  return folder;
}

function report(results: readonly Result[], failures: string | null): number {
  const failed = results.filter(hasFailed).length;
  if (flags.report) writeReport(flags.report, import.meta.filename, results);
  if (failed > 0 && failures !== null) print(`pictures of what failed: ${failures}`);
  if (results.length < TESTS.length) print(`left out by --only: ${TESTS.length - results.length}`);
  print(`editor: ${results.length - failed} passed, ${failed} failed`);
  return failed === 0 && results.length > 0 ? 0 : 1;
}

async function main(): Promise<number> {
  const editor = await ensureVsCode();
  const stop = stopSignal();
  const screenshots = made(flags.screenshots);
  const offered = screenshots === null ? TESTS : [...TESTS, ...SHOOTING];
  const tests = offered.filter(({ name }) => flags.only.some((words) => name.includes(words)));
  const failures = screenshots ?? made(process.env['AUTONOMOUS_TEST_PICTURES']);
  const folder = mkdtempSync(join(tmpdir(), 'ae-'));
  const browser = await openBrowser(editor);
  try {
    const extensionsDir = join(folder, 'extensions');
    mkdirSync(extensionsDir);
    await installExtension(editor, { folder: join(folder, 'install'), extensionsDir, vsix: await packed() });
    // A copy: another build meanwhile changes nothing.
    cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
    const program = join(folder, 'dist', 'cli.js');
    const around = { editor, browser, folder, extensionsDir, program, screenshots, failures, stop };
    return report(await runAll(tests, around), failures);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

process.exitCode = await main();
