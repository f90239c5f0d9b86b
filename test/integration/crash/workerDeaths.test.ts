/** The worker's thread dies under its owner: it comes back, later each time, and what it held goes on. */
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import type { Owner } from '../../../src/app/owner/assemble.ts';
import { becomeOwner } from '../../../src/app/owner/owner.ts';
import type { PlainFailure } from '../../../src/shared/errors.ts';
import type { Event } from '../../../src/shared/workspace/events.ts';
import { moneyOf, underWay } from '../../support/crash/crashOutcome.ts';
import { type CrashPoint, crashEnv } from '../../support/crash/crashPoint.ts';
import { CRASH_BRIEF, CRASH_COMMANDS, oneFile } from '../../support/crash/crashScenario.ts';
import { type CrashWorld, crashWorld, soon } from '../../support/crash/crashWorld.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';
import { QuickClock } from '../../support/time/quickClock.ts';

const programs = await testPrograms(inject('tempRoot'));

interface Watched {
  readonly owner: Owner;
  readonly events: Event[];
  readonly failures: PlainFailure[];
  readonly deaths: string[];
  close(): Promise<void>;
}

async function begin(
  world: CrashWorld,
  point: Omit<Extract<CrashPoint, { at: 'thread' }>, 'at' | 'log'>,
): Promise<Watched> {
  const log = join(world.places.projectDir, '..', 'deaths');
  const env = { ...world.env, ...crashEnv({ at: 'thread', log, ...point }) };
  // The back-off between deaths is real and doubles.
  const clock = new QuickClock({ speed: 3 });
  const owner = await becomeOwner({ ...world.options, env, clock });
  const close = (): Promise<void> => {
    clock.speed = 1;
    return owner.close();
  };
  const watched: Watched = { owner, events: [], failures: [], deaths: [], close };
  owner.follow({
    event: (event) => {
      watched.events.push(event);
      for (const row of owner.state.approvals.values()) {
        if (row.status !== 'pending' || row.kind === 'crashes') continue;
        const answer = { decision: 'approved', choice: row.choices[0] ?? null } as const;
        owner.request('decide', { approvalId: row.id, ...answer }).catch(() => undefined); // answered already
      }
    },
    live: ({ text }) => {
      if (text.startsWith('the worker thread died')) watched.deaths.push(text);
    },
    failed: (_, failure) => watched.failures.push(failure),
  });
  const allowedCommands = CRASH_COMMANDS.map((argv) => [...argv]);
  await owner.request('submitBrief', { brief: CRASH_BRIEF, setup: [], allowedCommands });
  return watched;
}

const jobOf = ({ state }: Owner) => [...state.jobs.values()][0];

describe('a dying worker thread', () => {
  test('comes back after it threw, and its attempt goes on', async () => {
    await using world = await crashWorld(programs, 0, oneFile);
    // The second results, after the planner's: the worker's reply was paid and its tools have run, but nothing says so.
    const { owner, events, failures, deaths, close } = await begin(world, {
      nth: 2,
      again: 1,
      how: 'throw',
      deaths: 1,
    });
    await soon('the end', () => jobOf(owner)?.status === 'completed');
    const state = owner.state;
    expect(failures).toEqual([]);
    expect(deaths).toHaveLength(1);
    expect(deaths[0]).toContain('planted');
    const interrupted = events.filter(({ type }) => type === 'attempt_interrupted');
    expect(interrupted).toMatchObject([{ cause: 'crash' }]);
    expect([...state.features.values()].map((row) => [row.status, row.retry_count])).toEqual([['completed', 0]]);
    expect(world.git('show', 'HEAD:one.txt')).toBe('one end\n');
    await close();
    expect(underWay(world, state)).toEqual([]);
    expect(moneyOf(world, state)).toMatchObject({ invented: [], lost: 0 });
  });

  test('that dies three times at its start is given up, and the job is paused with the reason', async () => {
    await using world = await crashWorld(programs, 0, oneFile);
    const { owner, failures, deaths, close } = await begin(world, { nth: 0, again: 0, how: 'exit', deaths: 3 });
    await soon('the pause', () => jobOf(owner)?.status === 'paused');
    expect(jobOf(owner)?.reason).toContain('died 3 times in a row');
    expect(deaths).toHaveLength(3);
    await soon('the news', () => failures.length > 0);
    expect(failures).toMatchObject([{ code: 'WORKER_DIED' }]);
    // The next one lives.
    await owner.request('resumeJob', { jobId: jobOf(owner)?.id ?? '' });
    await soon('the end', () => jobOf(owner)?.status === 'completed');
    await close();
  });

  test('that exits at each try of one attempt comes back for the same one each time, then parks the feature, with a question', async () => {
    await using world = await crashWorld(programs, 0, oneFile);
    const { owner, events, deaths, close } = await begin(world, { nth: 2, again: 1, how: 'exit', deaths: 5 });
    const asked = await soon('the question', () =>
      [...owner.state.approvals.values()].find((row) => row.kind === 'crashes'),
    );
    expect(asked.question).toContain('crashed 5 times in a row');
    expect(deaths).toHaveLength(5);
    expect(owner.state.features.get(asked.feature_id ?? 0)).toMatchObject({ retry_count: 0, crash_count: 5 });
    expect(events.filter(({ type }) => type === 'attempt_started')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'attempt_interrupted')).toHaveLength(5);

    await owner.request('decide', { approvalId: asked.id, decision: 'approved' });
    await soon('the end', () => jobOf(owner)?.status === 'completed');
    await close();
    expect(underWay(world, owner.state)).toEqual([]);
    // Each call was answered and paid once, however often the thread died on its answer.
    expect(moneyOf(world, owner.state)).toEqual({ invented: [], lost: 0, unsettled: 0, requests: 6 });
  });
});
