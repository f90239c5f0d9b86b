/**
 * An owner killed by SIGKILL at exact places, then another that goes on: the end is that of a run that nobody disturbed.
 * CRASH_SEED names other random places than the usual ones; CRASH_CHAINS=26 kills a job of its own at each type of line.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventType } from '../../../src/shared/events.ts';
import { askedTwice, moneyOf, outcomeOf, underWay } from '../../support/crashOutcome.ts';
import type { CrashPoint } from '../../support/crashPoint.ts';
import { buildPrograms, type CrashPrograms, type CrashWorld, crashWorld } from '../../support/crashWorld.ts';

/** Every type that the scenario comes to, as they first come; the undisturbed run checks that none is missing. */
const TYPES: readonly EventType[] = [
  'owner_started',
  'project_created',
  'brief_submitted',
  'clone_made',
  'setup_finished',
  'session_started',
  'call_reserved',
  'call_settled',
  'plan_proposed',
  'approval_requested',
  'approval_decided',
  'job_awaiting',
  'job_continued',
  'plan_accepted',
  'phase_started',
  'attempt_started',
  'note_added',
  'attempt_ended',
  'session_ended',
  'phase_summarized',
  'phase_reviewing',
  'phase_rejected',
  'phase_approved',
  'result_verified',
  'merge_begun',
  'job_completed',
];
const EVENTS = 109;
const JOURNAL_LINES = 40;

/** Small and good enough to choose places (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const SEED = Number(process.env['CRASH_SEED'] ?? 20261121);
const random = randomOf(SEED);

/** A job is killed at the first, its next owner at the second, and so on; each counts from its owner's start. */
type Chain = readonly CrashPoint[];

const CHAINS = Number(process.env['CRASH_CHAINS'] ?? 4);
/** Each type in one of them; those of one lie apart, so that a killed owner has worked for a while. */
const typeChains: Chain[] = Array.from({ length: CHAINS }, (_, chain) =>
  TYPES.filter((_type, at) => at % CHAINS === chain).map((type): CrashPoint => ({ at: 'durable', type, nth: 1 })),
);

const single: CrashPoint[] = [
  { at: 'torn', type: 'attempt_ended', nth: 2 },
  { at: 'told', type: 'call_settled', nth: 5 },
  { at: 'told', type: 'attempt_ended', nth: 3 },
  { at: 'journal', nth: 2, torn: false },
  { at: 'journal', nth: 12, torn: true },
  { at: 'durable', type: 'any', nth: 20 + random(EVENTS - 20) },
  { at: 'told', type: 'any', nth: 20 + random(EVENTS - 20) },
  { at: 'journal', nth: 1 + random(JOURNAL_LINES), torn: false },
];
const chains: Chain[] = [...typeChains, ...single.map((point) => [point])];

const named = (point: CrashPoint): string => Object.values(point).join(' ');
const name = (chain: Chain): string => chain.map(named).join(', ');

let programs: CrashPrograms;
let expected: object;
/** Answers that the server bills when nobody disturbs the run. */
let answers: number;

beforeAll(async () => {
  programs = await buildPrograms();
  await using world = await crashWorld(programs);
  expect(await world.run(null)).toMatchObject({ code: 0, stderr: '' });
  const state = await world.state();
  expected = outcomeOf(world, state);
  expect(expected).toMatchObject({ jobs: 1, job: ['completed', 'Three files', 0, 'merge'] });
  expect(underWay(world, state)).toEqual([]);
  expect(moneyOf(world, state)).toMatchObject({ invented: [], lost: 0, unsettled: 0 });
  // The check for calls that are paid twice sees each of them.
  expect(askedTwice(world, 0, world.journaledReplies())).toHaveLength(world.server.bill.length);
  answers = world.server.bill.length;
  expect(new Set(world.events().map(({ type }) => type))).toEqual(new Set(TYPES));
});
afterAll(() => programs.remove());

/** Runs it to each point in turn, and on from the last one to its end. */
async function killAndResume(world: CrashWorld, chain: Chain): Promise<void> {
  let [served, journaled]: [number, ReadonlySet<string>] = [0, new Set()];
  for (const point of [...chain, null]) {
    const exit = await world.run(point);
    const ended = point === null ? { code: 0 } : { signal: 'SIGKILL' };
    expect(exit, point === null ? 'to its end' : named(point)).toMatchObject({ ...ended, stderr: '' });
    expect(askedTwice(world, served, journaled)).toEqual([]);
    served = world.server.requests.length;
    journaled = world.journaledReplies();
  }
}

describe.concurrent(`a job whose owner is killed (seed ${SEED})`, () => {
  test.for(chains.map((chain) => [name(chain), chain] as const))('%s', async ([, chain], { expect: check }) => {
    await using world = await crashWorld(programs);
    await killAndResume(world, chain);
    const state = await world.state();
    check(outcomeOf(world, state)).toEqual(expected);
    check(underWay(world, state)).toEqual([]);
    const money = moneyOf(world, state);
    check(money).toMatchObject({ invented: [], lost: 0 });
    // Only the call in flight at each kill is open.
    check(money.unsettled).toBeLessThanOrEqual(chain.length);
    // A settled answer is never asked for again, wherever between its booking and its journal the kill came.
    check(world.server.bill.length - money.unsettled).toBeLessThanOrEqual(answers);
  });
});
