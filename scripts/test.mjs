/**
 * `npm test`: runs all suites, also from a fresh clone. `npm test -- --changed[=COMMIT]`: static checks, unit tests, and of the other
 * suites what the change since that commit can affect. Its last line counts the tests: `N passed, N failed`.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { cleanEnv, ensurePackages, ensureSystem, main } from './setup.mjs';
import { memoryDisk } from './test/memoryDisk.mjs';
import { clock } from './test/progress.mjs';
import { LAST_RUN, reportOf, runSteps } from './test/runSteps.mjs';
import { count, failures } from './test/summary.mjs';
import { leftOutLines } from './test/systems.mjs';
import { ensureBrowser } from './vscode.mjs';

/** Only root may put a process ahead of others. */
const AHEAD = process.getuid?.() === 0 ? ['nice', '-n', '-7'] : [];
const CHANGED = /^--changed(?:=(.+))?$/;

function reportsOf(steps) {
  return steps
    .filter(({ report }) => report !== undefined && existsSync(reportOf(report)))
    .map(({ report }) => JSON.parse(readFileSync(reportOf(report), 'utf8')));
}

async function stepsFor(words) {
  // Loaded late: it needs what ensurePackages has installed.
  const { allSteps, stepsSince } = await import('./test/steps.mjs');
  const { defaultBase } = await import('./test/imports.mjs');
  const strange = words.find((word) => !CHANGED.test(word));
  if (strange !== undefined) throw new Error(`unknown option ${strange}; use npm test [-- --changed[=COMMIT]]`);
  if (words.length === 0) return allSteps();
  const ref = CHANGED.exec(words[0])?.[1] ?? defaultBase();
  const { steps, changed } = await stepsSince(ref);
  console.log(`Changed since ${ref}: ${changed.length} files. Running: ${steps.map(({ name }) => name).join(', ')}`);
  return steps;
}

async function ensurePrograms() {
  const missing = await ensureSystem();
  if (missing) throw new Error(missing);
  await ensureBrowser();
}

await main(async () => {
  const began = Date.now();
  await Promise.all([ensurePackages(), ensurePrograms()]);
  const steps = await stepsFor(process.argv.slice(2));
  for (const { report } of steps) if (report !== undefined) rmSync(reportOf(report), { force: true });
  const disk = memoryDisk();
  const ended = await runSteps(steps, {
    env: { ...cleanEnv().tools, ...disk.env },
    before: ({ ahead }) => [...(ahead ? AHEAD : []), ...disk.words],
  }).finally(disk.end);
  const reports = reportsOf(steps);
  const { passed, failed, skipped } = count(reports);
  console.log(`\n=== summary after ${clock((Date.now() - began) / 1000)}; output of the steps: ${LAST_RUN}`);
  for (const { name, status, seconds } of ended)
    console.log(`${status.padEnd(7)}  ${name}${status === 'not run' ? '' : `  ${clock(seconds)}`}`);
  for (const line of failures(reports)) console.log(line);
  for (const line of leftOutLines()) console.log(line);
  if (skipped > 0) console.log(`${skipped} skipped`);
  console.log(`${passed} passed, ${failed} failed`);
  return ended.every(({ status }) => status === 'passed') ? 0 : 1;
});
