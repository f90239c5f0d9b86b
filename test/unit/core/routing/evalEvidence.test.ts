/** Which results of evals are evidence for routing, and what each is worth. */
import { expect, test } from 'vitest';
import { evalObservations } from '../../../../src/core/routing/evalEvidence.ts';
import { resultOf } from '../../../support/eval/records.ts';

const WORKER = { category: 'core', features: 1, passed: 1, microUsd: 60_000 };
const seen = (...results: Parameters<typeof resultOf>[0][]) => evalObservations(results.map(resultOf), 'anthropic');

test('a run counts with the cost of its worker and the category of its features', () => {
  expect(seen({}, { task: 't2', outcome: 'failed' })).toEqual([
    {
      task: 't1',
      model: 'claude-sonnet-5-5',
      category: 'core',
      passed: true,
      microUsd: 60_000,
      afterFailure: false,
    },
    {
      task: 't2',
      model: 'claude-sonnet-5-5',
      category: 'core',
      passed: false,
      microUsd: 60_000,
      afterFailure: false,
    },
  ]);
});

test('the cost is that of one attempt, rounded up, and a second attempt is a failure', () => {
  const worker = { category: null, features: 3, passed: 3, microUsd: 100_000 };
  expect(seen({ worker })).toMatchObject([{ category: 'src', passed: true, microUsd: 33_334 }]);
  expect(seen({ worker: { ...worker, passed: 2 } })).toMatchObject([{ passed: false }]);
  expect(seen({ outcome: 'failed', worker })).toMatchObject([{ passed: false }]);
});

test('a task counts once for each model, by the first run that counts', () => {
  const results = [
    { outcome: 'void' },
    { outcome: 'failed' },
    { repetition: 2 },
    { model: 'claude-opus-5-5' },
    { settings: 's2' },
  ] as const;
  expect(seen(...results).map(({ model, passed }) => [model, passed])).toEqual([
    ['claude-sonnet-5-5', false],
    ['claude-opus-5-5', true],
  ]);
});

test.each([
  ['of another agent', { executor: 'cline' }],
  ['of another provider', { provider: 'simulated' }],
  ['that states nothing', { outcome: 'void', worker: WORKER }],
  ['with a call without a price', { unpricedCalls: 1 }],
  ['without the part of the worker', { worker: null }],
] as const)('a run %s does not count', (_, parts) => {
  expect(seen(parts)).toEqual([]);
});

test('no run of a provider without prices counts', () => {
  expect(evalObservations([resultOf({ provider: 'vscode-lm' })], 'vscode-lm')).toEqual([]);
});
