/** An owner that works on three features at once is killed at events of the merge queue; then another owner, until all is merged. */
import { expect, inject, test } from 'vitest';
import type { EventType } from '../../src/shared/workspace/events.ts';
import { crashEnv } from '../support/crash/crashPoint.ts';
import { crashWorld } from '../support/crash/crashWorld.ts';
import { attempt, report, scenarioOf, write } from '../support/demo/briefs.ts';
import { testPrograms } from '../support/process/testPrograms.ts';
import { LONG } from '../support/suite/proof.ts';

const NAMES = ['A', 'B', 'C'];
const BRIEF_OPTIONS = JSON.stringify({ lanes: 3, gates: [] });
/** The engine holds `one.txt` for the command that verifies. Each feature changes the same line of it. */
const scenario = scenarioOf([
  {
    verify: ['ls one.txt'],
    features: NAMES.map((name) => ({
      name,
      attempts: [attempt(write(`${name}.txt`, name), write('one.txt', `${name}\n`), report('done'))],
      returns: [attempt(write('one.txt', `all, and ${name}\n`), report('done'))],
    })),
  },
]);

const POINTS: readonly (readonly [EventType, number])[] = [
  ['attempt_queued', 1],
  ['attempt_returned', 1],
];
const MORE: readonly (readonly [EventType, number])[] = [
  ['attempt_ended', 2],
  ['attempt_started', 1],
  ['attempt_started', 3],
  ['attempt_queued', 2],
  ['attempt_resumed', 1],
  ['attempt_returned', 2],
  ['attempt_returned', 3],
  ['attempt_ended', 1],
  ['attempt_ended', 3],
  ['call_settled', 4],
  ['phase_reviewing', 1],
];

const programs = await testPrograms(inject('tempRoot'));

test.each(LONG ? [...POINTS, ...MORE] : POINTS)('killed at %s %i', async (type, nth) => {
  await using world = await crashWorld(programs, 0, scenario, { files: { 'one.txt': 'Files\n' } });
  const killed = await world.start(true, { BRIEF_OPTIONS, ...crashEnv({ at: 'durable', type, nth }) }).exit;
  expect(killed.signal).toBe('SIGKILL');
  expect(await world.start(true, { BRIEF_OPTIONS }).exit).toMatchObject({ code: 0, stderr: '' });

  const state = await world.state();
  const [job] = state.jobs.values();
  expect(job?.status).toBe('completed');
  const commits = world.git('log', '--reverse', '--format=%H %s', 'main^..main^2').trim().split('\n');
  expect(commits.map((line) => line.slice(41)).toSorted()).toEqual(NAMES);
  for (const line of commits) expect(world.git('show', `${line.slice(0, 40)}:one.txt`)).not.toContain('<<<<<<<');
  const files = world.git('ls-tree', '--name-only', 'main').trim().split('\n');
  expect(files).toEqual(expect.arrayContaining(NAMES.map((name) => `${name}.txt`)));
  expect([...state.features.values()].map(({ status, retry_count }) => [status, retry_count])).toEqual(
    NAMES.map(() => ['completed', 0]),
  );
  // A kill loses at most the answers that were on their way: one for each lane.
  const paidTwice = [...state.spends.values()].filter(({ status }) => status === 'unsettled');
  expect(paidTwice.length).toBeLessThanOrEqual(3);
});
