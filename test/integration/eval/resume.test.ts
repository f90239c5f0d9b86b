/** An eval that was interrupted continues, and no answer that arrived is paid twice. test/unit/engine/eval has the rest. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EvalNote } from '../../../src/shared/eval/records.ts';
import { report } from '../../support/demo/briefs.ts';
import { evalModel, FAILS } from '../../support/eval/evalModel.ts';
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
