/**
 * Uses the packaged extension in a real VS Code as a person does. Flags: --report=FILE (counts in the form of vitest's
 * JSON), --vsix=FILE (packed already).
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, run } from '../../scripts/setup.mjs';
import { ensureVsCode, installExtension, openBrowser } from '../../scripts/vscode.mjs';
import { keyIsKept } from './key.ts';
import { restrictedModeRunsNothing } from './restricted.ts';
import type { World } from './world.ts';

const { values: flags } = parseArgs({
  options: { report: { type: 'string' }, vsix: { type: 'string' } },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const TESTS: readonly { readonly name: string; readonly body: (world: World) => Promise<void> }[] = [
  { name: 'Restricted Mode offers nothing that runs, and writes nothing', body: restrictedModeRunsNothing },
  { name: 'a typed key is in no file of the folder, the settings or the server', body: keyIsKept },
];

async function packed(): Promise<string> {
  if (flags.vsix) return flags.vsix;
  const code = await run('node', ['scripts/package.mjs'], { stdio: 'ignore' });
  if (code !== 0) throw new Error(`npm run package ended with ${code}`);
  return join(root, 'autonomous.vsix');
}

async function runAll(world: World): Promise<number> {
  let failed = 0;
  for (const { name, body } of TESTS) {
    const start = performance.now();
    try {
      await body(world);
      print(` ✓ ${name} ${Math.round(performance.now() - start)} ms`);
    } catch (thrown) {
      failed += 1;
      const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
      print(` ✗ ${name}\n${text.replaceAll(/^/gm, '     ')}`);
    }
  }
  return failed;
}

async function main(): Promise<number> {
  const editor = await ensureVsCode();
  const folder = mkdtempSync(join(tmpdir(), 'ae-'));
  const browser = await openBrowser(editor);
  try {
    const extensionsDir = join(folder, 'extensions');
    mkdirSync(extensionsDir);
    await installExtension(editor, { folder: join(folder, 'install'), extensionsDir, vsix: await packed() });
    const failed = await runAll({ editor, browser, folder, extensionsDir });
    const numPassedTests = TESTS.length - failed;
    const counts = { numPassedTests, numFailedTests: failed, numPendingTests: 0, numTodoTests: 0, testResults: [] };
    if (flags.report) writeFileSync(flags.report, JSON.stringify(counts));
    print(`editor: ${numPassedTests} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

process.exitCode = await main();
