/** `eval --from-history` prints its table for two real packages, writes its page and its table of results, and refuses what it must. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import type { EvalResult } from '../../../src/shared/eval/records.ts';
import { ONE_FEATURE } from '../../support/demo/briefs.ts';
import { evalModel, FAILS, SOLVES } from '../../support/eval/evalModel.ts';
import { historyOf } from '../../support/eval/packageHistory.ts';
import { plainGit, writeFiles } from '../../support/git/gitFixture.ts';
import { PACKAGES, type Package } from '../../support/mistakes/packages.ts';
import { terminalProcess } from '../../support/process/terminalProcess.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';
import type { Fault, ServedRequest } from '../../support/provider/messagesServer.ts';
import { needSandbox } from '../../support/shell/needSandbox.ts';

const { MS, HE } = PACKAGES;

async function terminalWith(
  of: Package,
  files: Readonly<Record<string, string>> = {},
  faults: (request: ServedRequest) => Fault | null = () => null,
) {
  await needSandbox();
  const terminal = await terminalProcess(await testPrograms(inject('tempRoot')), {
    scenario: ONE_FEATURE,
    model: evalModel(of),
    faults,
    files: { ...of.files, ...files },
    path: () => process.env['PATH'] ?? '',
  });
  for (const commit of historyOf(of)) {
    writeFiles(terminal.repo, commit.files);
    plainGit(terminal.repo, ['add', '-A']);
    plainGit(terminal.repo, ['commit', '-q', '-m', commit.message]);
  }
  return terminal;
}

const resultsIn = (repo: string): EvalResult[] =>
  readFileSync(join(repo, '.autonomous', 'eval', 'results.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvalResult);

const COMPARED = ['--variant', `works: --model worker=${SOLVES}`, '--variant', `idles: --model worker=${FAILS}`];

/** Without amounts and times, which differ by paths and by the machine's speed. */
const masked = (text: string): string =>
  text
    .replaceAll(/\$\d+\.\d+/g, '$')
    .replaceAll(/\b(?:\d+[dhm] )*\d+s\b/g, 's')
    .replaceAll(/ {2,}/g, '  ')
    .replaceAll(/^ +/gm, ' ');

test('ms@2.1.3: a table, a page and a table for a spreadsheet; the second call pays nothing', async () => {
  let asked = 0;
  await using terminal = await terminalWith(MS, {}, () => {
    asked += 1;
    return null;
  });
  const [page, csv] = [join(terminal.folder, 'page.html'), join(terminal.folder, 'results.csv')];
  const words = ['eval', '--from-history', '1', '--budget', '9', '--test', 'node --test', ...COMPARED];
  const { code, stdout, stderr } = await terminal.cli(...words, '--page', page, '--csv', csv).exit;
  expect(stderr.split('\n').at(-2)).toBe('Running "Weeks, long" with idles, 1 of 1');
  expect(code).toBe(0);
  expect(masked(stdout)).toBe(
    [
      'VARIANT  PASSED  RATE (95 %)  COST (95 %)  PER PASSED  TURNS  TIME',
      'works  1 of 1  100 % (21-100 %)  $  $  6.0  s',
      'idles  0 of 1  0 % (0-79 %)  $  -  5.0  s',
      '',
      'TASK  CATEGORY  works  idles',
      'Weeks, long  .  1 of 1, $  0 of 1, $',
      '',
      'Failed (--page FILE shows the output of the tests):',
      ' Weeks, long, idles: the test command `node --test` failed (exit code 1)',
      '',
      'Spent $ of $ on 2 runs of 2, those of earlier calls included.',
      '',
    ].join('\n'),
  );
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('1 of 1');
  expect(html).not.toMatch(/<script|https?:\/\/|src=|<link/);
  const [, ...lines] = readFileSync(csv, 'utf8').trimEnd().split('\n');
  expect(lines.filter((line) => /^1,/.test(line))).toHaveLength(2);

  const results = resultsIn(terminal.repo);
  expect(results.map(({ variant, outcome }) => [variant, outcome])).toEqual([
    ['works', 'passed'],
    ['idles', 'failed'],
  ]);
  for (const { worker, microUsd, unpricedCalls } of results) {
    expect({ ...worker, unpricedCalls }).toMatchObject({ features: 1, passed: 1, unpricedCalls: 0 });
    expect(worker?.microUsd).toBeGreaterThan(0);
    expect(worker?.microUsd).toBeLessThan(microUsd);
  }
  expect(results[1]?.reason).toMatch(/^the test command `node --test` failed \(exit code 1\).*long-weeks/s);
  expect(results.reduce((sum, { turns }) => sum + turns, 0)).toBe(asked);
  const again = await terminal.cli(...words).exit;
  expect(again).toEqual({ code: 0, stdout, stderr: '' });
  expect(resultsIn(terminal.repo)).toEqual(results);
  expect(asked).toBe(11);
  expect(terminal.git('status', '--porcelain')).toBe('');
});

test('he@1.2.0: its own test command, and commits that are no tasks', async () => {
  const manifest = { ...JSON.parse(HE.files['package.json'] ?? ''), scripts: { test: 'node --test test/*.test.js' } };
  await using terminal = await terminalWith(HE, { 'package.json': JSON.stringify(manifest) });
  const words = ['eval', '--from-history', '9', '--budget', '2.001', '--json'];
  const { code, stdout } = await terminal.cli(...words, '--variant', `idles: --model worker=${FAILS} --run-budget 2`)
    .exit;
  const report = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(report.stopped).toContain('3 runs are missing');
  expect(report.tasks.map(({ title }: { title: string }) => title)).toEqual(
    HE.changes.map(({ name }) => name).reverse(),
  );
  expect(report.dropped.map(({ name, reason }: { name: string; reason: string }) => [name.slice(11), reason])).toEqual([
    ['Test nothing', 'it changes no code'],
    ['Describe the changes', 'it changes no test'],
    ['Start', 'it is the first commit'],
  ]);
  const [{ passed, runs, missing, rateInterval, costPerPassedUsd }] = report.variants;
  expect({ passed, runs, missing, costPerPassedUsd }).toEqual({
    passed: 0,
    runs: 1,
    missing: 3,
    costPerPassedUsd: null,
  });
  expect(rateInterval.low).toBe(0);
  expect(report.version).toBe(1);
});

test('a process that is killed in a run: the next one resumes it, and pays only the answer that was lost', async () => {
  const stalled = Promise.withResolvers<void>();
  const state = { stalls: true };
  const bodies: string[] = [];
  const faults = ({ index, body }: ServedRequest): Fault | null => {
    bodies.push(body);
    if (!state.stalls || index !== 2) return null;
    state.stalls = false;
    stalled.resolve();
    return { kind: 'stall', afterEvents: 1 };
  };
  await using terminal = await terminalWith(MS, {}, faults);
  const words = ['eval', '--from-history', '1', '--budget', '9', '--test', 'node --test', ...COMPARED.slice(0, 2)];
  const first = terminal.cli(...words);
  await stalled.promise;
  first.kill('SIGKILL');
  await first.exit;
  const { stdout, stderr, code } = await terminal.cli(...words, '--json').exit;
  expect(stderr).toBe('Resuming "Weeks, long" with works, 1 of 1\n');
  expect(code).toBe(0);
  expect(JSON.parse(stdout).variants[0]).toMatchObject({ passed: 1, runs: 1 });
  // The request whose answer was lost is sent again; no other one is.
  expect(bodies).toHaveLength(new Set(bodies).size + 1);
});
