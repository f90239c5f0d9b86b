/** T6: the life of a job as a game: the loop plays against luck, people and crashes; every event is checked as it is folded. */

import { describe, expect, it } from 'vitest';
import { isFinal, JOB } from '../../src/core/state/machines.ts';
import { jobApprovals } from '../../src/core/state/rows.ts';
import { reduce } from '../../src/core/workspace/reduce.ts';
import type { Event } from '../../src/shared/workspace/events.ts';
import { applyChanges, emptyState, type State, TABLE_NAMES } from '../../src/shared/workspace/state.ts';
import { JOB_ID } from '../support/state/builders.ts';
import { amount, figure, SEED } from '../support/suite/proof.ts';
import { fc } from '../support/suite/property.ts';
import { game } from './machines/game/game.ts';
import { playStep } from './machines/game/loop.ts';
import { ANY_LUCK, LUCKY, type Luck } from './machines/game/luck.ts';
import type { Dice, World } from './machines/game/world.ts';

/** The same bad luck over and over is where a loop would turn in place. */
const STUBBORN: readonly Luck[] = [
  LUCKY,
  { ...LUCKY, worker: ['failed'] },
  { ...LUCKY, worker: ['unchanged'] },
  { ...LUCKY, worker: ['unchanged'], review: ['REJECTED'] },
  { ...LUCKY, worker: ['crash'] },
  { ...LUCKY, worker: ['stuck'] },
  { ...LUCKY, review: ['crash'] },
  { ...LUCKY, review: ['no_verdict'] },
  { ...LUCKY, worker: ['failed'], review: ['REJECTED'] },
  { ...LUCKY, worker: ['failed'], review: ['ESCALATE'] },
  { ...LUCKY, planner: ['refused'] },
  { ...LUCKY, merge: ['conflict'] },
  { ...LUCKY, merge: ['refused'] },
];

/** Steps that the loop may take by itself: every try of every feature in every attempt of every phase, and its crashes. */
function bound(world: World): number {
  const { maxPhaseAttempts: attempts, maxRetries: retries } = world.job().options;
  const phases = world.state.phases.size + 3;
  const features = world.state.features.size + 9 + phases * attempts;
  // Up to three side by side, and one of them is picked.
  const perTry = 3 * (2 + 2 * 5) + 1;
  return 40 + phases * attempts * (features * retries * perTry + 2 * 5 + 12);
}

function runUntilIdle(world: World, dice: Dice, luck: Luck): number {
  const most = bound(world);
  let steps = 0;
  while (playStep(world, dice, luck) === 'worked') {
    steps++;
    if (steps > most) throw new Error(`still busy after ${most} steps with ${JSON.stringify(luck)}`);
  }
  return steps;
}

function fold(events: readonly Event[], state: State = emptyState()): State {
  for (const event of events) applyChanges(state, reduce(state, event));
  return state;
}

/** Rows as a database would give them back. */
function reloaded(state: State): State {
  const copy = emptyState();
  for (const name of TABLE_NAMES) {
    const rows = copy[name] as Map<unknown, unknown>;
    for (const [id, row] of state[name]) rows.set(id, JSON.parse(JSON.stringify(row)));
  }
  copy.meta = JSON.parse(JSON.stringify(state.meta)) as State['meta'];
  return copy;
}

function plain(state: State): unknown {
  return { ...Object.fromEntries(TABLE_NAMES.map((name) => [name, [...state[name]]])), meta: state.meta };
}

const GAMES = amount({ short: 200, long: 20_000 });
/** Of games that are played on to their end. */
const ENDGAMES = Math.ceil(GAMES / 10);

const seed = fc.nat({ max: 2 ** 31 });
const commands = fc.array(seed, { maxLength: 60, size: 'max' });

describe(`the life of a job, from seed ${SEED}`, () => {
  it('breaks no rule whatever happens, and never turns in place', () => {
    fc.assert(
      fc.property(seed, commands, fc.nat({ max: STUBBORN.length }), (start, moves, stubborn) => {
        const { world, dice } = game(start, moves);
        const luck = STUBBORN[stubborn] ?? { ...ANY_LUCK, merge: ['done'] };
        runUntilIdle(world, dice, luck);
      }),
      { numRuns: GAMES },
    );
    figure({
      method: 'T6',
      what: 'lives of a job, of 60 moves, that broke no rule',
      value: GAMES,
      unit: '',
      aim: { atLeast: 200 },
    });
  });

  it('comes to its end when the steward always says yes', () => {
    fc.assert(
      fc.property(seed, commands, (start, moves) => {
        const { world, dice } = game(start, moves);
        const luck: Luck = { ...LUCKY, worker: ['succeeded', 'failed'], review: ['APPROVED', 'REJECTED'] };
        for (let round = 0; !isFinal(JOB, world.job().status) && round < 100; round++) {
          runUntilIdle(world, dice, luck);
          answerAll(world, 'approved');
        }
        expect(['completed', 'failed', 'cancelled']).toContain(world.job().status);
      }),
      { numRuns: ENDGAMES },
    );
  });

  it('asks again, and does not turn in place, when the steward always says no', () => {
    fc.assert(
      fc.property(seed, commands, fc.nat({ max: STUBBORN.length - 1 }), (start, moves, stubborn) => {
        const { world, dice } = game(start, moves);
        for (let round = 0; !isFinal(JOB, world.job().status) && round < 20; round++) {
          runUntilIdle(world, dice, STUBBORN[stubborn] ?? LUCKY);
          answerAll(world, 'rejected');
        }
      }),
      { numRuns: ENDGAMES },
    );
  });

  it('folds to the same state again, in one go or over a restart', () => {
    fc.assert(
      fc.property(seed, commands, fc.nat(), (start, moves, cut) => {
        const { world } = game(start, moves);
        const { events } = world;
        const at = cut % (events.length + 1);
        expect(plain(fold(events))).toEqual(plain(world.state));
        expect(plain(fold(events.slice(at), reloaded(fold(events.slice(0, at)))))).toEqual(plain(world.state));
      }),
      { numRuns: ENDGAMES },
    );
  });
});

/** Everything that is asked is answered so; what is paused goes on; time passes. */
function answerAll(world: World, decision: 'approved' | 'rejected'): void {
  world.now += 120_000;
  for (const { id, choices } of jobApprovals(world.state, JOB_ID).filter((row) => row.status === 'pending')) {
    if (world.state.approvals.get(id)?.status !== 'pending') continue;
    const choice = decision === 'approved' ? (choices[0] ?? null) : null;
    world.commit({ type: 'approval_decided', id, decision, choice, feedback: 'so be it', by: 'steward' });
  }
  if (world.job().status === 'paused') world.commit({ type: 'job_resumed', job_id: JOB_ID, by: 'steward' });
}
