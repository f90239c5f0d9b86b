/**
 * Uses the packaged extension in a real VS Code as a person does. Flags: --only=WORDS (the tests whose name has them; several
 * times: any of them), --screenshots=FOLDER (takes pictures on the way), --vsix=FILE (packed already), --report=FILE (counts
 * in the form of vitest's JSON). A failed test leaves a picture of its window in --screenshots, or in the folder AUTONOMOUS_TEST_PICTURES.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, run } from '../../scripts/setup.mjs';
import { ensureVsCode, installExtension, openBrowser } from '../../scripts/vscode.mjs';
import { stopSignal } from '../support/endings.ts';
import { SHOOTING, TESTS, type Test } from './tests.ts';
import type { World } from './world.ts';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    screenshots: { type: 'string' },
    vsix: { type: 'string' },
    report: { type: 'string' },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function packed(): Promise<string> {
  if (flags.vsix) return flags.vsix;
  const code = await run('node', ['scripts/package.mjs'], { stdio: 'inherit' });
  if (code !== 0) throw new Error(`npm run package ended with ${code}: see above.`);
  return join(root, 'autonomous.vsix');
}

/** Whether it holds. */
async function holds({ name, body }: Test, world: World): Promise<boolean> {
  const start = performance.now();
  try {
    await body(world);
    print(` ✓ ${name} ${Math.round(performance.now() - start)} ms`);
    return true;
  } catch (thrown) {
    const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    print(` ✗ ${name}\n${text.replaceAll(/^/gm, '     ')}`);
    return false;
  }
}

/** How many fail. */
async function runAll(tests: readonly Test[], world: World): Promise<number> {
  let failed = 0;
  for (const test of tests) {
    if (!(await holds(test, world))) failed += 1;
    if (world.stop.aborted) throw world.stop.reason;
  }
  return failed;
}

/** A folder that is wanted, made; null: none is. */
function made(folder: string | undefined): string | null {
  if (!folder) return null;
  mkdirSync(folder, { recursive: true });
  return folder;
}

function told(tests: readonly Test[], failed: number, failures: string | null): number {
  const numPassedTests = tests.length - failed;
  const counts = { numPassedTests, numFailedTests: failed, numPendingTests: 0, numTodoTests: 0, testResults: [] };
  if (flags.report) writeFileSync(flags.report, JSON.stringify(counts));
  if (failed > 0 && failures !== null) print(`pictures of what failed: ${failures}`);
  if (tests.length < TESTS.length) print(`left out by --only: ${TESTS.length - tests.length}`);
  print(`editor: ${numPassedTests} passed, ${failed} failed`);
  return failed === 0 && tests.length > 0 ? 0 : 1;
}

async function main(): Promise<number> {
  const editor = await ensureVsCode();
  const stop = stopSignal();
  const screenshots = made(flags.screenshots);
  const offered = screenshots === null ? TESTS : [...TESTS, SHOOTING];
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
    const failed = await runAll(tests, around);
    return told(tests, failed, failures);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

process.exitCode = await main();
