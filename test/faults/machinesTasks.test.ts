/** T6: tasks over the real runner and store, with pauses, kills, clocks that are set and work that ends as it likes. */
import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { isOver } from '../../src/core/state/rows.ts';
import { findFailure } from '../../src/shared/errors.ts';
import type { StepInput } from '../../src/shared/task/tasks.ts';
import type { StepResult } from '../../src/shared/task/taskWork.ts';
import { dice } from '../support/kill/lives.ts';
import { amount, figure, SEED } from '../support/suite/proof.ts';
import { type Flight, gave, TaskWorld, went } from '../support/world/taskWorld.ts';

const WORLDS = amount({ short: 25, long: 1_000 });
const MOST_ACTS = 400;

function randomSteps(next: (most: number) => number): StepInput[] {
  return Array.from({ length: 4 + next(8) }, (_, at): StepInput => {
    const needs = at === 0 || next(3) === 0 ? [] : [`S${next(at)}`];
    const more = {
      name: `S${at}`,
      needs,
      isCheckpoint: next(6) === 0,
      backoffSeconds: next(100),
      maxRetries: 10,
    } as const;
    switch (next(6)) {
      case 0:
        return { ...more, action: 'notify', params: { title: `${at}` } };
      case 1:
        return { ...more, action: 'wait', params: { minutes: next(30) } };
      default:
        return {
          ...more,
          action: 'llm_generate',
          params: { prompt: 'x' },
          onError: next(2) === 0 ? 'retry' : 'continue',
        };
    }
  });
}

/** Everything that may come of a piece of work; mostly its result. */
function randomEnd(world: TaskWorld, next: (most: number) => number): StepResult {
  const wakeAt = new Date(world.clock.now() + next(600_000)).toISOString();
  const away = { code: 'LIMIT_REACHED', detail: 'wait', hint: '', wakeAt, limit: 'day', raiseTo: null } as const;
  const ends: readonly StepResult[] = [
    went('no luck'),
    { outcome: 'interrupted', error: 'it died' },
    { outcome: 'unavailable', ...away },
    gave('y'.repeat(20_000)),
  ];
  return ends[next(10)] ?? gave('done');
}

/** A person, a machine and a world that do what they like. What comes too late is refused, and that is right. */
async function act(
  world: TaskWorld,
  ids: readonly string[],
  open: Set<Flight>,
  next: (most: number) => number,
): Promise<void> {
  const id = ids[next(ids.length)] ?? '';
  const by = 'steward';
  const refused = (thrown: unknown): void => {
    if (findFailure(thrown)?.code !== 'ILLEGAL_TRANSITION') throw thrown;
  };
  switch (next(20)) {
    case 0:
      return void (await world.requests.pauseTask({ taskId: id, reason: 'so', by }).catch(refused));
    case 1:
    case 2:
      return void (await world.requests.resumeTask({ taskId: id, by }).catch(refused));
    case 3:
      return void (await world.requests.retryTask({ taskId: id, by }).catch(refused));
    case 4:
      open.clear();
      return world.kill();
    case 5:
      return world.clock.setWall(world.clock.now() + (next(3) - 1) * 600_000);
    case 6:
    case 7:
    case 8:
      return world.clock.advance(next(300_000));
    default: {
      const [flight] = [...open].slice(next(Math.max(1, open.size)));
      if (flight === undefined) return;
      open.delete(flight);
      flight.end(randomEnd(world, next));
    }
  }
}

afterAll(() =>
  figure({
    method: 'T6',
    what: 'lives of two tasks over their requests and work',
    value: WORLDS,
    unit: '',
    aim: { atLeast: 25 },
  }),
);

test.each(Array.from({ length: WORLDS }, (_, seed) => seed))(
  'whatever happens, no finished step goes again and every task ends (%i)',
  async (seed) => {
    const next = dice(SEED + seed);
    const world = await TaskWorld.open();
    const open = new Set<Flight>();
    let seen = 0;
    const look = (): void => {
      for (const flight of world.flights.slice(seen)) {
        const { order } = flight;
        const step = world.store.state.task_steps.get(order.stepId);
        const isSummary = order.kind === 'generate' && order.role === 'summarizer';
        if (!isSummary) expect(step?.status, `begun: step ${order.stepId}`).toBe('RUNNING');
        const same = [...open].filter((one) => one.order.stepId === order.stepId && !one.signal.aborted);
        expect(same, `side by side: step ${order.stepId}`).toEqual([]);
        open.add(flight);
      }
      seen = world.flights.length;
      for (const flight of open) if (flight.signal.aborted) open.delete(flight);
      expect(open.size).toBeLessThanOrEqual(8);
    };
    const ids = [
      await world.begin(randomSteps(next), { maxParallel: 4 }),
      await world.begin(randomSteps(next), { maxParallel: 16 }),
    ];
    const areOver = (): boolean => ids.every((id) => isOver(world.task(id)));
    for (let acts = 0; acts < MOST_ACTS && !areOver(); acts++) {
      await act(world, ids, open, next);
      for (let turns = next(12); turns > 0; turns--) await setImmediate();
      look();
    }
    // From here on nothing stands in its way any more.
    for (const id of ids)
      if (world.task(id).status === 'PAUSED') await world.requests.resumeTask({ taskId: id, by: 'steward' });
    for (let turns = 0; !areOver() && turns < 500; turns++) {
      for (const flight of open) flight.end(gave('done'));
      open.clear();
      world.clock.advance(600_000);
      await world.rest();
      look();
    }
    expect(ids.map((id) => `${world.task(id).status}: ${world.statuses(id)}`).join('\n')).not.toMatch(
      /RUNNING|PAUSED|PENDING/,
    );
    const ended = world.log.events.flatMap((event) => (event.type === 'task_stepped' ? event.ended : []));
    const completed = ended.filter(({ outcome }) => outcome === 'completed').map(({ step_id }) => step_id);
    expect(completed).toHaveLength(new Set(completed).size);
    expect(world.problems).toEqual([]);
    await world.close();
  },
);
