/** `eval` in the terminal: its options, its table and its exit codes. */
import { expect, it } from 'vitest';
import { allRuns } from '../../../../src/core/eval/missingRuns.ts';
import type { EvalRequest, Evaluated } from '../../../../src/engine/eval/evaluation.ts';
import { resultOf } from '../../../support/eval/records.ts';
import { terminalWorld } from '../../../support/world/terminalWorld.ts';

const BASE = ['eval', '--from-history', '3', '--budget', '5'];

async function evaluating(evaluated: Partial<Evaluated> = {}) {
  const asked: EvalRequest[] = [];
  const task = {
    id: 't1',
    title: 'Parse \u001b[2Jmonths',
    brief: '',
    category: 'src',
    test: null,
    setup: null,
    hasSolution: true,
    manifest: null,
  };
  const world = await terminalWorld({
    workspace: {
      evaluate: async (_: unknown, request: EvalRequest) => {
        asked.push(request);
        return {
          tasks: [{ task, check: { test: 'npm test', setup: [] } }],
          dropped: [],
          settings: ['s1'],
          runs: allRuns(['t1'], ['s1'], 1),
          results: [resultOf()],
          spentMicroUsd: 100_000,
          stopped: null,
          folder: '/work/.autonomous/eval',
          ...evaluated,
        };
      },
    },
  });
  return { world, asked };
}

it('asks for each variant with its own options on top of the common ones', async () => {
  const { world, asked } = await evaluating({
    settings: ['s1', 's2'],
    runs: allRuns(['t1'], ['s1', 's2'], 1),
    results: [resultOf(), resultOf({ settings: 's2' })],
  });
  const variants = [
    '--variant',
    'cheap: --model worker=claude-haiku-5-5 --effort low --run-budget 0.5',
    '--variant',
    'usual',
    '--parallel',
    '4',
    '--batch-prices',
  ];
  expect(
    await world.run(...BASE, '--effort', 'high', '--setup', 'npm ci', '--repeat', '4', '--at', 'main', ...variants),
  ).toBe(0);
  const levels = (effort: string) => ({ planner: effort, worker: effort, reviewer: effort, summarizer: effort });
  expect(asked).toEqual([
    {
      tasks: { from: 'history', count: 3, at: 'main' },
      variants: [
        {
          name: 'cheap',
          request: {
            models: { worker: 'claude-haiku-5-5' },
            effort: expect.objectContaining({ worker: 'low' }),
            budgetMicroUsd: 500_000,
          },
        },
        {
          name: 'usual',
          request: { effort: expect.objectContaining({ worker: levels('high').worker }), budgetMicroUsd: 2_000_000 },
        },
      ],
      repeat: 4,
      budgetMicroUsd: 5_000_000,
      test: null,
      setup: ['npm ci'],
      parallel: 4,
      batchPrices: true,
    },
  ]);
});

it('prints the table, with nothing that moves the cursor', async () => {
  const { world } = await evaluating();
  expect(await world.run(...BASE)).toBe(0);
  expect(world.out).toBe(
    [
      'VARIANT  PASSED       RATE (95 %)  COST (95 %)  PER PASSED  TURNS  TIME',
      'default  1 of 1  100 % (21-100 %)      $0.1000     $0.1000    5.0   10s',
      '',
      'TASK                     CATEGORY          default',
      'Parse <U+001B>[2Jmonths  src       1 of 1, $0.1000',
      '',
      'Spent $0.1000 of $5.00 on 1 run of 1, those of earlier calls included.',
      '',
    ].join('\n'),
  );
});

it('a missing result is exit 1, with the reason', async () => {
  const { world } = await evaluating({ results: [], stopped: 'the budget is used up' });
  expect(await world.run(...BASE)).toBe(1);
  expect(world.out).toContain('Stopped: the budget is used up');
  expect(world.out).toContain('0 of 0');
});

it('writes the page and the table for a spreadsheet, in which no text is a formula', async () => {
  const results = [resultOf({ title: '=1+1, "x"' }), resultOf({ settings: 'other' })];
  const { world } = await evaluating({ results });
  expect(await world.run(...BASE, '--page', 'a.html', '--csv', 'a.csv', '--json')).toBe(0);
  expect(world.written.get('/home/me/project/a.html')).toContain('<!doctype html>');
  const lines = world.written.get('/home/me/project/a.csv')?.trimEnd().split('\n') ?? [];
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`"'=1+1, ""x"""`);
  expect(JSON.parse(world.out)).toMatchObject({
    version: 1,
    runs: 1,
    missing: 0,
    variants: [{ name: 'default', passed: 1 }],
  });
});

it.each([
  [['eval', '--budget', '5'], 'an eval needs tasks'],
  [['eval', '--budget', '5', '--from-history', '1', '--tasks', 'x'], 'an eval needs tasks'],
  [['eval', '--budget', '5', '--tasks', 'x', '--at', 'main'], '--at belongs to --from-history'],
  [['eval', '--from-history', '1'], 'an eval needs a budget for all its runs'],
  [['eval', '--from-history', '0', '--budget', '5'], '--from-history "0" is not a number from 1 to 200'],
  [[...BASE, '--variant', 'a: --gates none'], '--variant "a: --gates none": unknown option \'--gates\''],
  [[...BASE, '--variant', 'a: --effort $(x)'], 'the options of --variant "a: --effort $(x)" are not readable'],
  [[...BASE, '--variant', 'a', '--variant', 'a: --effort low'], 'two variants have the name a'],
  [[...BASE, '--variant', ': --effort low'], '--variant ": --effort low" has no name'],
  [[...BASE, '--run-budget', 'none'], '--run-budget needs an amount'],
])('%j is refused', async (words, message) => {
  const { world, asked } = await evaluating();
  expect(await world.run(...words)).toBe(2);
  expect(world.err).toContain(message);
  expect(asked).toEqual([]);
});
