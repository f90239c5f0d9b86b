/**
 * The extension in a real VS Code. Two kinds of tests: `suite/` runs inside the extension host; `scenarios/` opens windows, ends
 * them, and opens them again, with an agent inside. Flags: --report=FILE (counts in the form of vitest's JSON), --only=WORDS
 * (tests whose name has them; several times: any of them), --extension=FOLDER (another one than this repository, built already), --pictures=FOLDER
 * (of windows in which a test failed), --times=N (each scenario so often, on one server, and none a second time when it fails: to
 * find what fails now and then), --verbose.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/setup.mjs';
import { ensureVsCode, openBrowser } from '../../scripts/vscode.mjs';
import { stopSignal } from '../support/endings.ts';
import { hasFailed, type Result, told, twice, writeReport } from '../support/suiteReport.ts';
import { SCENARIOS } from './scenarios/all.ts';
import { afresh, suiteAgain, suiteEnv } from './support/afresh.ts';
import { bundle } from './support/bundle.ts';
import { runScenario, runSuite } from './support/results.ts';
import { copyExtension, type Scenario, serve, stopServers, type World } from './support/world.ts';

const { values: flags } = parseArgs({
  options: {
    report: { type: 'string' },
    only: { type: 'string', multiple: true, default: [''] },
    extension: { type: 'string', default: root },
    pictures: { type: 'string' },
    times: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const wanted = (text: string): boolean => flags.only.some((words) => text.includes(words));

function report(results: readonly Result[]): number {
  if (flags.report) writeReport(flags.report, import.meta.filename, results);
  const failed = results.filter(hasFailed).length;
  print(`host: ${results.length - failed} passed, ${failed} failed`);
  return failed === 0 && results.length > 0 ? 0 : 1;
}

const triesAgain = flags.times === undefined;

async function suiteResults(world: World): Promise<readonly Result[]> {
  const log = flags.verbose ? print : () => undefined;
  const run = (one: World): ReturnType<typeof runSuite> => runSuite(one, wanted, log);
  const first = await run(world);
  return first.some(hasFailed) && triesAgain && !world.stop.aborted ? suiteAgain(world, first, run) : first;
}

function scenarioResult(world: World, scenario: Scenario): Promise<Result> {
  return twice((attempt) => {
    if (attempt === 1) return runScenario(world, scenario);
    return afresh(world, (fresh) => runScenario(fresh, scenario));
  }, world.stop);
}

async function runAll(world: World): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const result of await suiteResults(world)) {
    print(told(result));
    results.push(result);
  }
  const scenarios = SCENARIOS.filter(({ name }) => wanted(name));
  for (const scenario of Array.from({ length: Number(flags.times ?? 1) }, () => scenarios).flat()) {
    if (world.stop.aborted) throw world.stop.reason;
    const result = await (triesAgain ? scenarioResult(world, scenario) : runScenario(world, scenario));
    print(told(result));
    results.push(result);
  }
  if (flags.only.join('') !== '') print(`only tests named ${flags.only.join(' or ')} were run`);
  return results;
}

async function inServer(
  editor: World['editor'],
  browser: World['browser'],
  folder: string,
  stop: AbortSignal,
): Promise<number> {
  const extension = join(folder, 'extension');
  copyExtension(flags.extension, extension);
  const server = await serve(editor, folder, {
    env: { ...suiteEnv(folder), HOST_TEST_ONLY: flags.only.join('\n') },
  });
  try {
    const bundles = { agent: await bundle('agent', folder), suite: await bundle('suite', folder) };
    const pictures = flags.pictures ?? null;
    const world = { editor, browser, url: server.url, env: server.env, folder, extension, pictures, stop, ...bundles };
    return report(await runAll(world));
  } finally {
    await stopServers();
  }
}

async function main(): Promise<number> {
  const editor = await ensureVsCode();
  const stop = stopSignal();
  const folder = mkdtempSync(join(tmpdir(), 'ah-'));
  const browser = await openBrowser(editor);
  try {
    return await inServer(editor, browser, folder, stop);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

process.exitCode = await main();
