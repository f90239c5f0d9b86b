/** An eval at batch prices: each call is one batch, and an interrupted one is not bought again. */
import { expect, test } from 'vitest';
import { SOLVES } from '../../support/eval/evalModel.ts';
import { evalWorld, variant } from '../../support/eval/evalWorld.ts';
import { PACKAGES } from '../../support/mistakes/packages.ts';

const { MS } = PACKAGES;
const REQUEST = {
  tasks: { from: 'history', count: 2, at: null },
  variants: [variant('works', SOLVES)],
  parallel: 2,
  batchPrices: true,
} as const;

test('two runs take place at a time, and batches that were interrupted are read later', async () => {
  const stop = new AbortController();
  await using of = await evalWorld(MS);
  const { batches, bill } = of.world.server;
  batches.held = true;
  const first = of.run(REQUEST, stop.signal);
  // A batch whose id has not arrived yet would be created again.
  await expect.poll(() => batches.asked.size).toBe(2);
  stop.abort();
  await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
  batches.held = false;

  const ended = await of.run(REQUEST);
  expect(of.said.filter((line) => line.startsWith('Resuming'))).toHaveLength(2);
  expect(ended.results.map(({ outcome }) => outcome)).toEqual(['passed', 'passed']);
  // No request is in two batches, and none was sent alone.
  expect(new Set(batches.created).size).toBe(batches.created.length);
  expect(batches.created).toHaveLength(bill.length);
  expect(batches.created.every((body) => !body.includes('"stream":true'))).toBe(true);
  const paid = bill.reduce((sum, { microUsd }) => sum + microUsd, 0);
  const counted = ended.results.reduce((sum, { microUsd }) => sum + microUsd, 0);
  expect(batches.created.every((body) => body.includes('"ttl":"1h"'))).toBe(true);
  // Their costs cannot be compared with those of jobs.
  expect(ended.results.map(({ worker }) => worker)).toEqual([null, null]);
  // The two interrupted calls count at their upper bound, and again with their answer.
  expect(counted).toBeGreaterThan(paid);
});
