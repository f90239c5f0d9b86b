/**
 * The extension in a real VS Code. Two kinds of tests: `suite/` runs inside the extension host; `scenarios/` opens windows, ends
 * them, and opens them again, with an agent inside. Flags: --report=FILE (counts in the form of vitest's JSON), --only=WORDS
 * (tests whose name has them), --extension=FOLDER (another one than this repository, built already), --verbose.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/setup.mjs';
import { ensureVsCode, openBrowser } from '../../scripts/vscode.mjs';
import { SCENARIOS } from './scenarios/all.ts';
import { bundle } from './support/bundle.ts';
import { type Result, runScenario, runSuite } from './support/results.ts';
import { copyExtension, serve, type World } from './support/world.ts';

const { values: flags } = parseArgs({
  options: {
    report: { type: 'string' },
    only: { type: 'string', default: '' },
    extension: { type: 'string', default: root },
    verbose: { type: 'boolean', default: false },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

function show({ name, ms, error }: Result): void {
  print(`${error === null ? ' ✓' : ' ✗'} ${name} ${ms} ms`);
  if (error !== null) print(error.replaceAll(/^/gm, '     '));
}

/** The few fields of vitest's report that the closing line of `npm test` is counted from. */
function report(results: readonly Result[]): number {
  const numFailedTests = results.filter(({ error }) => error !== null).length;
  const numPassedTests = results.length - numFailedTests;
  const counts = { numPassedTests, numFailedTests, numPendingTests: 0, numTodoTests: 0, testResults: [] };
  if (flags.report) writeFileSync(flags.report, JSON.stringify(counts));
  print(`host: ${numPassedTests} passed, ${numFailedTests} failed`);
  return numFailedTests === 0 && numPassedTests > 0 ? 0 : 1;
}

async function runAll(world: World): Promise<readonly Result[]> {
  const results: Result[] = [];
  const log = flags.verbose ? print : () => undefined;
  for (const result of await runSuite(world, flags.only, log)) {
    show(result);
    results.push(result);
  }
  for (const scenario of SCENARIOS.filter(({ name }) => name.includes(flags.only))) {
    const result = await runScenario(world, scenario);
    show(result);
    results.push(result);
  }
  if (flags.only !== '') print(`only tests named "${flags.only}" were run`);
  return results;
}

async function main(): Promise<number> {
  const editor = await ensureVsCode();
  const folder = mkdtempSync(join(tmpdir(), 'ah-'));
  const browser = await openBrowser(editor);
  try {
    const extension = join(folder, 'extension');
    copyExtension(flags.extension, extension);
    const suiteReport = join(folder, 'results.jsonl');
    const env = { HOST_TEST_REPORT: suiteReport, HOST_TEST_ONLY: flags.only };
    const server = await serve(editor, folder, { env });
    try {
      const bundles = { agent: await bundle('agent', folder), suite: await bundle('suite', folder) };
      return report(await runAll({ editor, browser, url: server.url, env: server.env, folder, extension, ...bundles }));
    } finally {
      await server.stop();
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

process.exitCode = await main();
