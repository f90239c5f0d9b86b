/**
 * Uses the packaged extension in a real VS Code as a person does. Flags: --only=WORDS (the tests whose name has them, and those before
 * them in the same journey; several times: any of them), --screenshots=FOLDER (takes pictures on the way), --vsix=FILE (packed already),
 * --report=FILE (counts in the form of vitest's JSON), --times=N (each journey so often: to find what fails now and then). A failed test
 * leaves a picture of its window in --screenshots, in the folder AUTONOMOUS_TEST_PICTURES, or beside the report.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, run } from '../../scripts/setup.mjs';
import { ensureVsCode, installExtension, openBrowser } from '../../scripts/vscode.mjs';
import { stopSignal } from '../support/demo/endings.ts';
import { hasFailed, type Result, told, writeReport } from '../support/suite/suiteReport.ts';
import type { Journey } from './journey.ts';
import { JOURNEYS, PICTURES } from './journeys.ts';
import { installHand, startVsCode } from './vsCode.ts';
import type { World } from './world.ts';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    screenshots: { type: 'string' },
    vsix: { type: 'string' },
    report: { type: 'string' },
    times: { type: 'string', default: '1' },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const wanted = (name: string): boolean => flags.only.some((words) => name.includes(words));

async function packed(): Promise<string> {
  if (flags.vsix) return flags.vsix;
  const code = await run('node', ['scripts/package.mjs'], { stdio: 'inherit' });
  if (code !== 0) throw new Error(`npm run package ended with ${code}: see above.`);
  return join(root, 'autonomous.vsix');
}

async function runAll(journeys: readonly Journey[], world: World): Promise<readonly Result[]> {
  const results: Result[] = [];
  const report = (result: Result): void => {
    print(told(result));
    results.push(result);
  };
  const runs = Array.from({ length: Number(flags.times) }, () => journeys).flat();
  for (const [number, journey] of runs.entries()) {
    const folder = join(world.folder, String(number));
    mkdirSync(folder);
    await journey.run({ ...world, folder }, wanted, report);
    if (world.stop.aborted) throw world.stop.reason;
  }
  return results;
}

const besideReport = (): string | undefined => flags.report && join(dirname(flags.report), 'pictures');

/** Makes a folder that is wanted; null: none is. */
function made(folder: string | undefined): string | null {
  if (!folder) return null;
  mkdirSync(folder, { recursive: true });
  return folder;
}

function report(results: readonly Result[], failures: string | null): number {
  const failed = results.filter(hasFailed).length;
  if (flags.report) writeReport(flags.report, import.meta.filename, results);
  if (failed > 0 && failures !== null) print(`pictures of what failed: ${failures}`);
  const left = JOURNEYS.flatMap(({ names }) => names).filter((name) => !results.some((one) => one.name === name));
  if (left.length > 0) print(`left out by --only: ${left.length}`);
  print(`editor: ${results.length - failed} passed, ${failed} failed`);
  return failed === 0 && results.length > 0 ? 0 : 1;
}

async function main(): Promise<number> {
  const editor = await ensureVsCode();
  const stop = stopSignal();
  const screenshots = made(flags.screenshots);
  const failures = screenshots ?? made(process.env['AUTONOMOUS_TEST_PICTURES'] ?? besideReport());
  const folder = mkdtempSync(join(tmpdir(), 'ae-'));
  const browser = await openBrowser(editor);
  try {
    const extensionsDir = join(folder, 'extensions');
    mkdirSync(extensionsDir);
    await installExtension(editor, { folder: join(folder, 'install'), extensionsDir, vsix: await packed() });
    await installHand(extensionsDir);
    const terminal = join(folder, 'terminal');
    // A copy: another build meanwhile changes nothing.
    cpSync(join(root, 'dist'), join(terminal, 'dist'), { recursive: true });
    // Beside its packages, as npm installs it; the extension has none.
    symlinkSync(join(root, 'node_modules'), join(terminal, 'node_modules'), 'junction');
    const vsCode = await startVsCode(editor, join(folder, 'code'), { extensionsDir });
    try {
      const program = join(terminal, 'dist', 'cli.js');
      const world = { editor, browser, vsCode, folder, extensionsDir, program, screenshots, failures, stop };
      return report(await runAll(screenshots === null ? JOURNEYS : [...JOURNEYS, ...PICTURES], world), failures);
    } finally {
      await vsCode.stop();
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

process.exitCode = await main();
