/** An owner that works on three features at once is killed at events of the merge queue; then another owner, until all is merged. */
import { expect, inject, test } from 'vitest';
import type { EventType } from '../../src/shared/workspace/events.ts';
import type { State } from '../../src/shared/workspace/state.ts';
import { type CrashPoint, crashEnv } from '../support/crash/crashPoint.ts';
import { crashWorld } from '../support/crash/crashWorld.ts';
import { attempt, report, scenarioOf, write } from '../support/demo/briefs.ts';
import type { Exit } from '../support/process/shortProcess.ts';
import { testPrograms } from '../support/process/testPrograms.ts';
import { planted } from '../support/suite/planted.ts';
import { type Built, buildWith } from '../support/suite/plantedBug.ts';
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

async function mergedBy(programs: Built, ...points: readonly CrashPoint[]): Promise<Merged> {
  await using world = await crashWorld(programs, 0, scenario, { files: { 'one.txt': 'Files\n' } });
  for (const point of points) {
    const killed = await world.start(true, { BRIEF_OPTIONS, ...crashEnv(point) }).exit;
    expect(killed.signal).toBe('SIGKILL');
  }
  const exit = await world.start(true, { BRIEF_OPTIONS }).exit;
  const commits = world.git('log', '--reverse', '--format=%H %s', 'main^..main^2').trim().split('\n');
  return {
    exit,
    state: await world.state(),
    subjects: commits.map((line) => line.slice(41)),
    texts: commits.map((line) => world.git('show', `${line.slice(0, 40)}:one.txt`)),
    files: world.git('ls-tree', '--name-only', 'main').trim().split('\n'),
  };
}

interface Merged {
  readonly exit: Exit;
  readonly state: State;
  /** Of the commits of the job, oldest first. */
  readonly subjects: readonly string[];
  /** The shared file in each of these commits. */
  readonly texts: readonly string[];
  readonly files: readonly string[];
}

test.each(LONG ? [...POINTS, ...MORE] : POINTS)('killed at %s %i', async (type, nth) => {
  const { exit, state, subjects, texts, files } = await mergedBy(programs, { at: 'durable', type, nth });
  expect(exit).toMatchObject({ code: 0, stderr: '' });
  expect([...state.jobs.values()].map(({ status }) => status)).toEqual(['completed']);
  expect(subjects.toSorted()).toEqual(NAMES);
  for (const text of texts) expect(text).not.toContain('<<<<<<<');
  expect(files).toEqual(expect.arrayContaining(NAMES.map((name) => `${name}.txt`)));
  expect([...state.features.values()].map(({ status, retry_count }) => [status, retry_count])).toEqual(
    NAMES.map(() => ['completed', 0]),
  );
  // A kill loses at most the answers that were on their way: one for each lane.
  const lost = [...state.spends.values()].filter(({ status }) => status === 'unsettled');
  expect(lost.length).toBeLessThanOrEqual(3);
});

planted('a feature that is complete on an older tip', async () => {
  const bug = {
    file: 'src/core/job/mergeQueue.ts',
    find: "  if (need(state, 'jobs', attempt.job_id).head !== attempt.base_commit) return false;",
    put: "  need(state, 'jobs', attempt.job_id);",
  };
  using built = await buildWith(bug, ['test/support/crash/crashOwner.ts', 'test/support/crash/crashWorker.ts']);
  const { subjects } = await mergedBy(built);
  expect(subjects.length).toBeLessThan(NAMES.length);
});
