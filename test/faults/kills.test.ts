/**
 * The shipped program as a headless owner, with a job, a conversation and tasks at work at once and a provider that goes wrong now and
 * then, killed by SIGKILL at every type of line that this work writes into its log, at lines of journals, at changes of files, at commands of git and at
 * random moments; then another owner, until all is done. What must be so then: test/support/invariants/invariants.ts.
 */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { EventType } from '../../src/shared/workspace/events.ts';
import { findingsIn, promisesBroken, type Undisturbed, undisturbed } from '../support/invariants/invariants.ts';
import { killThrough, noTotal, type Plan, randomKill, tellKills } from '../support/kill/killPlans.ts';
import { HOWS } from '../support/kill/killPoint.ts';
import { LAST_WORDS } from '../support/kill/killWork.ts';
import { type Kill, KillWorld } from '../support/kill/killWorld.ts';
import { testPrograms } from '../support/process/testPrograms.ts';
import { eventsIn } from '../support/state/eventFiles.ts';
import type { Built } from '../support/suite/plantedBug.ts';
import { amount, LONG, randomOf, SEED } from '../support/suite/proof.ts';

/** Every type that the work comes to, about as they first come; the undisturbed world checks that none is missing. */
const TYPES: readonly EventType[] = [
  'owner_started',
  'project_created',
  'brief_submitted',
  'message_sent',
  'task_created',
  'task_started',
  'session_started',
  'messages_read',
  'task_stepped',
  'clone_made',
  'setup_finished',
  'call_reserved',
  'call_settled',
  'task_checkpointed',
  'task_completed',
  'plan_proposed',
  'approval_requested',
  'approval_decided',
  'plan_accepted',
  'phase_started',
  'attempt_started',
  'attempt_ended',
  'note_added',
  'session_ended',
  'phase_summarized',
  'phase_reviewing',
  'phase_rejected',
  'phase_approved',
  'result_verified',
  'merge_begun',
  'job_completed',
];
/** Left out by a steward who answers at once. */
const QUICK: readonly EventType[] = ['job_awaiting', 'job_continued'];
/** Those that do not come again: when one of them is told, the next may be there already. */
const ONCE: readonly EventType[] = [
  'brief_submitted',
  'clone_made',
  'setup_finished',
  'plan_proposed',
  'plan_accepted',
  'phase_rejected',
  'phase_approved',
  'result_verified',
  'merge_begun',
  'job_completed',
];

let programs: Built;
let expected: Undisturbed;
const total = noTotal();

beforeAll(async () => {
  programs = await testPrograms(inject('tempRoot'));
  await using world = await KillWorld.open(programs, 'clean', SEED, 0);
  // Of the job alone is it compared how it went.
  if (!LONG) world.driver.wanted = { notes: 0, tasks: 0 };
  await world.finish();
  expected = undisturbed(world);
  if (!LONG) return;
  expect(promisesBroken(await findingsIn(world, expected))).toEqual({});
  const came = new Set(eventsIn(world.places.stateDir).map(({ type }) => type));
  expect([...came].filter((type) => !QUICK.includes(type)).toSorted()).toEqual(TYPES.toSorted());
});
afterAll(() => tellKills(total));

/** Each life is killed at the first event of a type that none was killed at. */
function typesPlan(way: number, left: Set<EventType>): Plan {
  const ways = [...HOWS, 'told'] as const;
  return {
    name: `types, way ${way}`,
    tree: way % 2 === 0 ? 'clean' : 'dirty',
    seed: SEED + way,
    faults: 0,
    next: (world, lives, last) => {
      for (const type of last?.at ?? []) left.delete(type as EventType);
      if (left.size === 0 || last?.reached === false) return null;
      // Nobody says anything else by himself.
      if (left.has('message_sent') || left.has('messages_read')) world.driver.wanted.notes++;
      if ([...left].some((type) => type.startsWith('task_'))) world.driver.wanted.tasks++;
      const how = ways[(lives + way) % ways.length] ?? 'told';
      if (how !== 'told') return { at: 'event', types: [...left], nth: 1, how };
      const told = [...left].filter((type) => !ONCE.includes(type));
      const next = ONCE.find((type) => left.has(type));
      // What comes once is reached from the last one of these, and by nobody who lives longer than that.
      return next === undefined || (next === 'phase_rejected' && told.length > 0)
        ? { at: 'told', types: told.length > 0 ? told : [...left], nth: 1, ms: 0 }
        : { at: 'event', types: [...left], nth: 1, how: 'durable' };
    },
  };
}

/** Killed between the beginning of a merge and anything that git was told: what was begun is not begun again. */
const mergePlan: Plan = {
  name: 'a merge that was begun',
  tree: 'dirty',
  seed: SEED,
  faults: 0,
  next: (world, lives) => {
    world.driver.wanted = { notes: 0, tasks: 0 };
    return lives > 0 ? null : { at: 'event', types: ['merge_begun'], nth: 1, how: 'durable' };
  },
};

/** The answer was paid, and nothing but the journal says that it is not there: it is found again, though nobody says anything more. */
const atLastWords = (how: 'before' | 'torn'): Kill => ({ at: 'journal', word: LAST_WORDS, nth: 1, how });
const lastWordsPlan = (how: 'before' | 'torn'): Plan => ({
  name: `last words, ${how}`,
  tree: 'clean',
  seed: SEED,
  faults: 0,
  next: (_world, lives) => (lives > 0 ? null : atLastWords(how)),
});

/** Until its job is over, and a little longer. */
function randomPlan(seed: number, kills: number): Plan {
  const random = randomOf(seed);
  return {
    name: `world of seed ${seed}`,
    tree: seed % 3 === 0 ? 'dirty' : 'clean',
    seed,
    faults: 25,
    next: (world, lives) => {
      if (lives >= kills || eventsIn(world.places.stateDir).some(({ type }) => type === 'job_completed')) return null;
      if (random(3) === 0) world.driver.wanted.notes++;
      if (random(4) === 0) world.driver.wanted.tasks++;
      return randomKill(random);
    },
  };
}

/** Of the short form: what a job, its conversation and its tasks come to again, and what comes at their end. */
const FEW: readonly EventType[] = ['task_stepped', 'attempt_ended', 'merge_begun'];

/** Of everything a little, in one world: at last words, at random, and at types of events, each in another way. */
function shortPlan(left: Set<EventType>): Plan {
  const random = randomOf(SEED);
  const types = typesPlan(SEED % 5, left);
  const others = [atLastWords('torn'), randomKill(random)];
  return {
    ...types,
    name: 'of everything a little',
    faults: 25,
    next: (world, lives, last) => {
      const kill = types.next(world, lives, last);
      // The types first: some of them do not come again once the job is over.
      if (kill !== null || left.size > 0) return kill;
      world.driver.wanted.notes++;
      return others.shift() ?? null;
    },
  };
}

const shortForm = (): void =>
  test('at the last words of a conversation, at random, and at events, while the provider goes wrong', async () => {
    const left = new Set(FEW);
    await killThrough(programs, shortPlan(left), expected, total);
    expect(total.broken).toEqual({});
    expect([...left], 'never killed at').toEqual([]);
  });

function longForm(): void {
  test('at every type of event, before it is durable, then, and when it was told', async () => {
    for (const way of [0, 1, 2, 3, 4]) {
      const left = new Set(TYPES);
      await killThrough(programs, typesPlan(way, left), expected, total);
      expect([...left], `never killed at, way ${way}`).toEqual([]);
    }
    expect(total.broken).toEqual({});
  });

  test.for(['before', 'torn'] as const)('at the last words of a conversation: %s', async (how) => {
    await killThrough(programs, lastWordsPlan(how), expected, total);
    expect(total.broken).toEqual({});
  });

  test('as it begins the merge', async () => {
    await killThrough(programs, mergePlan, expected, total);
    expect(total.broken).toEqual({});
  });

  test('at random, while the provider goes wrong now and then', async () => {
    const kills = amount({ short: 0, long: 1_000 });
    let seed = SEED;
    const lane = async (): Promise<void> => {
      while (total.kills < kills) await killThrough(programs, randomPlan(seed++, kills - total.kills), expected, total);
    };
    await Promise.all([lane(), lane()]);
    expect(total.broken).toEqual({});
    expect(total.kills).toBeGreaterThanOrEqual(kills);
  });
}

describe(`an owner that is killed (seed ${SEED})`, LONG ? longForm : shortForm);
