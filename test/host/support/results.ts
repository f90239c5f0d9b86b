/** Carries out the tests of both kinds, and says how each ended. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/setup.mjs';
import { workbenchUrl } from '../../../scripts/vscode.mjs';
import { within } from '../../support/endings.ts';
import type { Result } from '../../support/suiteReport.ts';
import { guardingTrees, newProject, type Scenario, type World } from './world.ts';

/** What stands for the window of `suite/` where it failed in another way than by a test. */
export const SUITE = 'the suite in the extension host';
const SUITE_MS = 240_000;
const SCENARIO_MS = 240_000;
/** A little longer than the longest wait of a scenario. */
const ENDING_MS = 150_000;

export async function runScenario(world: World, { name, body }: Scenario): Promise<Result> {
  const start = performance.now();
  const end = (error: string | null): Result => ({ name, ms: Math.round(performance.now() - start), error });
  const running = guardingTrees(() => body(world));
  try {
    await within(running, SCENARIO_MS, 'the scenario', world.stop);
    return end(null);
  } catch (thrown) {
    await ended(world, running);
    return end(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
  }
}

/** One that came to its time goes on: without its windows it fails at its next step, and puts away what it made. */
async function ended({ browser, stop }: World, running: Promise<void>): Promise<void> {
  for (const context of browser.contexts()) await context.close();
  await within(running, ENDING_MS, 'its end', stop).catch(() => undefined); // why it failed is told already
}

/** Its names are literals: a suite without one that is looked for needs no window. */
function suiteHas(wanted: (text: string) => boolean): boolean {
  const folder = join(root, 'test', 'host', 'suite');
  return readdirSync(folder).some((file) => wanted(readFileSync(join(folder, file), 'utf8')));
}

/** Runs `suite/` by VS Code's own mechanism, in one window. */
export async function runSuite(
  world: World,
  wanted: (text: string) => boolean,
  log: (line: string) => void,
): Promise<readonly Result[]> {
  if (!suiteHas(wanted)) return [];
  const payload = { extensionDevelopmentPath: world.extension, extensionTestsPath: world.suite };
  const context = await world.browser.newContext();
  const start = performance.now();
  let trouble: string | null = null;
  try {
    const page = await context.newPage();
    await page.exposeFunction('codeAutomationLog', (type: string, args: readonly unknown[]) =>
      log(`  ${type}: ${args.map(String).join(' ')}`),
    );
    const { promise: exit, resolve, reject } = Promise.withResolvers<number>();
    await page.exposeFunction('codeAutomationExit', resolve);
    page.once('crash', () => reject(new Error('the page of VS Code crashed')));
    await guardingTrees(async () => {
      await page.goto(workbenchUrl(world.url, await newProject(world), payload));
      const code = await within(exit, SUITE_MS, 'the suite', world.stop);
      if (code !== 0) throw new Error(`VS Code ended with ${code}`);
    });
  } catch (thrown) {
    trouble = thrown instanceof Error ? thrown.message : String(thrown);
  } finally {
    await context.close();
  }
  const results = readResults(world.env['HOST_TEST_REPORT'] ?? '');
  // VS Code ended in another way than by a failed test: one failure of its own.
  const told = results.some(({ error }) => error !== null);
  if (trouble === null || told) return results;
  return [...results, { name: SUITE, ms: Math.round(performance.now() - start), error: trouble }];
}

export const readResults = (file: string): readonly Result[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
