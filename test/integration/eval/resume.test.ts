/** An eval that was interrupted continues with what is missing, within one budget; nothing is paid twice. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EvalNote } from '../../../src/shared/eval/records.ts';
import { report } from '../../support/demo/briefs.ts';
import { evalModel, FAILS, SOLVES } from '../../support/eval/evalModel.ts';
import { evalWorld, variant } from '../../support/eval/evalWorld.ts';
import { PACKAGES } from '../../support/mistakes/packages.ts';
import type { EngineWorld } from '../../support/world/engineWorld.ts';

const { MS } = PACKAGES;
const IDLES = variant('idles', FAILS);

const notesOf = (world: EngineWorld): EvalNote[] =>
  readFileSync(join(world.places.stateDir, 'eval', 'runs.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvalNote);

const paid = (world: EngineWorld): number => world.server.bill.reduce((sum, { microUsd }) => sum + microUsd, 0);

test('a run that was stopped is resumed: no answer that arrived is paid again', async () => {
  const stop = new AbortController();
  const model = evalModel(MS, { looks: ['ls'], seen: () => stop.abort() });
  await using of = await evalWorld(MS, { model });
  const { world } = of;
  await expect(of.run({ variants: [IDLES] }, stop.signal)).rejects.toMatchObject({ code: 'ABORTED' });
  expect(notesOf(world).map(({ type }) => type)).toEqual(['validated', 'started']);

  const ended = await of.run({ variants: [IDLES] });
  expect(of.said.at(-1)).toBe('Resuming "Weeks, long" with idles, 1 of 1');
  expect(ended.results).toHaveLength(1);
  // The stop can lose the answer of the one call in flight: it counts at its upper bound, and is asked for again.
  expect(ended.results[0]?.microUsd).toBeGreaterThanOrEqual(paid(world));
  expect(notesOf(world).map(({ type }) => type)).toEqual(['validated', 'started']);
  const { bill } = world.server;
  expect(bill.length - new Set(bill.map(({ id }) => id)).size).toBeLessThanOrEqual(1);
});

test('a run whose folder is missing counts at its reservation, and is run again', async () => {
  const stop = new AbortController();
  const model = evalModel(MS, { looks: ['ls'], seen: () => stop.abort() });
  await using of = await evalWorld(MS, { model });
  const { world } = of;
  await expect(of.run({ variants: [IDLES] }, stop.signal)).rejects.toMatchObject({ code: 'ABORTED' });
  rmSync(join(world.places.jobsDir, 'eval'), { recursive: true });

  const small = await of.run({ variants: [IDLES], budgetMicroUsd: 3_000_000 });
  expect(small.stopped).toBe('the budget is used up: $1.00 is left, the next run may cost $2.00, and 1 run is missing');
  const ended = await of.run({ variants: [IDLES], budgetMicroUsd: 4_000_000 });
  expect(ended.stopped).toBeNull();
  expect(ended.spentMicroUsd).toBe(2_000_000 + (ended.results[0]?.microUsd ?? 0));
});

test('no run starts without the money for it, and more money continues', async () => {
  await using of = await evalWorld(MS);
  const request = { variants: [IDLES, variant('works', SOLVES)], repeat: 2 };
  const first = await of.run({ ...request, budgetMicroUsd: 2_001_000 });
  expect(first.results.map(({ variant: name }) => name)).toEqual(['idles']);
  expect(first.stopped).toMatch(
    /^the budget is used up: \$1\.\d\d is left, the next run may cost \$2\.00, and 3 runs are missing$/,
  );
  const second = await of.run({ ...request, budgetMicroUsd: 9_000_000 });
  expect(second.stopped).toBeNull();
  expect(second.results.map(({ variant: name, repetition }) => `${name} ${repetition}`)).toEqual([
    'idles 1',
    'works 1',
    'idles 2',
    'works 2',
  ]);
  expect(second.spentMicroUsd).toBe(paid(of.world));
});

test('a refused key and an agent that gives up: one is void and stops the eval, the other has failed', async () => {
  const state = { refuses: true };
  const model = evalModel(MS, {
    *works() {
      yield { calls: [report('stuck', 'How?')] };
    },
  });
  const faults = () =>
    state.refuses ? ({ kind: 'status', status: 401, type: 'authentication_error' } as const) : null;
  await using of = await evalWorld(MS, { model, faults });
  const refused = await of.run({ variants: [IDLES] });
  expect(refused.results.map(({ outcome, passed }) => ({ outcome, passed }))).toEqual([
    { outcome: 'void', passed: false },
  ]);
  expect(refused.stopped).toContain('a run could not be judged: it asked:');
  state.refuses = false;
  const ended = await of.run({ variants: [IDLES] });
  expect(ended.stopped).toBeNull();
  expect(ended.results.map(({ outcome }) => outcome)).toEqual(['void', 'failed']);
  expect(ended.results[1]?.reason).toContain('it asked: How?');
});
