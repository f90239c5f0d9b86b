/** Whatever another agent does, its session comes to a typed end, holds nothing, and its transcript says the same again. */

import { expect, it } from 'vitest';
import { addToExternalState, foldExternalState } from '../../../../src/engine/agent/observed/externalState.ts';
import type { SessionResult, TranscriptEntry } from '../../../../src/engine/session/ports.ts';
import { type ErrorCode, failure, findFailure } from '../../../../src/shared/errors.ts';
import { type Act, ExternalBench, edits, reports } from '../../../support/agent/externalBench.ts';
import { amount } from '../../../support/suite/proof.ts';
import { fc } from '../../../support/suite/property.ts';

const usage = { input: 9, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
/** Of what waits, some is over before it and some is not; longer than an agent may go on after its answer. */
const ATTEMPT_SECONDS = 120;
const CODES = ['AGENT_DIED', 'AGENT_SILENT', 'AGENT_FLOOD', 'AGENT_LOGIN', 'AGENT_UNUSABLE'] as const;

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c').map(edits) },
  { weight: 3, arbitrary: fc.constantFrom('start', 'text').map((text): Act => ({ do: 'say', text })) },
  { weight: 2, arbitrary: fc.constant<Act>({ do: 'tool', update: { id: 'open', title: 'Run', what: 'execute' } }) },
  { weight: 3, arbitrary: fc.constant<Act>({ do: 'write' }) },
  { weight: 4, arbitrary: fc.constant<Act>({ do: 'ask' }) },
  { weight: 4, arbitrary: fc.constantFrom('done', 'stuck', 'perhaps').map((outcome) => reports(outcome)) },
  { weight: 1, arbitrary: fc.constant<Act>({ do: 'report', used: { usage, costMicroUsd: 5 } }) },
  { weight: 1, arbitrary: fc.nat({ max: 1_100 * ATTEMPT_SECONDS }).map((ms): Act => ({ do: 'wait', ms })) },
  { weight: 2, arbitrary: fc.constantFrom(...CODES).map((code): Act => ({ do: 'fail', code })) },
  { weight: 2, arbitrary: fc.boolean().map((deaf): Act => ({ do: 'hang', deaf })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('end', 'max_tokens', 'max_turns', 'refusal', 'cancelled')
      .map((reason) => ({ do: 'end', reason }) as const),
  },
);

interface World {
  readonly turns: readonly (readonly Act[])[];
  readonly resumes: boolean;
  readonly ownAccount: boolean;
  readonly maxTurns: number;
  /** The call that the gateway refuses, and with what. */
  readonly refusal: readonly [number, ErrorCode];
  readonly pauseAfter: number | null;
}

const world: fc.Arbitrary<World> = fc.record({
  turns: fc.array(fc.array(act, { maxLength: 6 }), { maxLength: 6 }),
  resumes: fc.boolean(),
  ownAccount: fc.boolean(),
  maxTurns: fc.integer({ min: 1, max: 8 }),
  refusal: fc.tuple(
    fc.integer({ min: 1, max: 12 }),
    fc.constantFrom<ErrorCode>(
      'LIMIT_REACHED',
      'KEY_REFUSED',
      'MODEL_UNAVAILABLE',
      'MODEL_STREAM_BROKEN',
      'OWNER_LOST',
    ),
  ),
  pauseAfter: fc.option(fc.nat({ max: 1_400 * ATTEMPT_SECONDS }), { nil: null }),
});

function benchOf(given: World): ExternalBench {
  const bench = new ExternalBench();
  bench.turns = given.turns.map((turn) => [...turn]);
  bench.resumes = given.resumes;
  bench.ownAccount = given.ownAccount;
  bench.limits = { ...bench.limits, turns: given.maxTurns, seconds: ATTEMPT_SECONDS };
  let calls = 0;
  bench.onCall = () => {
    const [at, code] = given.refusal;
    if (++calls === at) throw failure(code, 'refused', { details: { limit: 'job' } });
  };
  return bench;
}

const FINAL: readonly SessionResult['outcome'][] = ['answered', 'ended'];
const THROWN: readonly string[] = [...CODES, 'OWNER_LOST'];

/** Runs it, over pauses, refusals and deaths, until it is over or nothing is left in the script. */
async function lived(bench: ExternalBench, pauseAfter: number | null): Promise<SessionResult | null> {
  for (let lives = 0; lives < 12; lives++) {
    bench.abort = new AbortController();
    const { abort } = bench;
    const cancel =
      lives === 0 && pauseAfter !== null ? bench.clock.timer(pauseAfter, () => abort.abort(new Error('pause'))) : null;
    try {
      const result = await bench.open().run();
      if (FINAL.includes(result.outcome)) return result;
      expect(['aborted', 'unavailable']).toContain(result.outcome);
    } catch (thrown) {
      expect(THROWN).toContain(findFailure(thrown)?.code);
    } finally {
      cancel?.();
    }
    expect(bench.running).toBe(0);
    expect(bench.clock.pending).toBe(0);
  }
  return null;
}

function sameFold(entries: readonly TranscriptEntry[]): void {
  let live = foldExternalState([]);
  for (const entry of entries) live = addToExternalState(live, entry);
  expect(foldExternalState(entries)).toEqual(live);
}

it('comes to a typed end, whatever its agent does', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      const bench = benchOf(given);
      const result = await lived(bench, given.pauseAfter);
      sameFold(bench.entries);
      const [reserved, booked] = ['reserve', ''].map(
        (word) => bench.booked.filter(([what]) => (what === 'reserve') === (word === 'reserve')).length,
      );
      expect(booked).toBe(reserved);
      if (result === null) return;
      const before = bench.entries.length;
      expect(await bench.open().run()).toEqual(result);
      expect(bench.entries).toHaveLength(before);
      // Only what was there with the answer counts.
      const { checkpoint } = foldExternalState(bench.entries).conversation;
      if (result.outcome === 'answered') expect(`tree-${bench.version}`).toBe(checkpoint);
    }),
    { numRuns: amount({ short: 200, long: 20_000 }) },
  );
});
