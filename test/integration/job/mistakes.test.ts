/**
 * A worker that makes ordinary mistakes, on three packages as they are published: each job ends merged, nothing that was accepted is
 * lost, and no reply is spent on what a request could have stated.
 */
import { expect, test } from 'vitest';
import { plainGit } from '../../support/git/gitFixture.ts';
import { briefFor, carryOut, costs, JOBS, lostWork, mistakenModel } from '../../support/mistakes/job.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

/** Replies by mistake; of planner, reviewer and summarizer there is one each. */
const TURNS: Readonly<Record<string, number>> = {
  'planner, reviewer, summarizer': 3,
  'a failing first test': 6,
  'an edit with wrong spaces': 5,
  'git checkout of a file': 6,
  'a forgotten git stash': 6,
  'a huge file': 5,
  'a wide grep': 5,
  'a question in the middle': 6,
  'a report beside other calls': 4,
  'a server in the background': 7,
  'a command that never ends': 5,
  'a write to /tmp': 5,
  'done without a change': 3,
};

/** Attempts beyond the first one: only what failed, or was asked. */
const SECOND_ATTEMPTS = [
  'a failing first test',
  'a forgotten git stash',
  'a question in the middle',
  'done without a change',
];

/** Tokens of a job that are not read from the cache, at most. Paths and times in results make them differ by some. */
const MOST_FRESH = 30_000;

test.each(JOBS)('$name', async (job) => {
  const model = mistakenModel(job);
  await using world = await EngineWorld.open({ files: job.of.files, model, sandbox: 'needed' });
  await world.submit({ brief: briefFor(job) });
  await carryOut(world, model);

  const onMain = (path: string): string => plainGit(world.repo, ['show', `main:${path}`]);
  expect(lostWork(job, onMain)).toEqual([]);
  expect(world.git('status', '--porcelain')).toBe('');

  const found = costs(job, model.spent);
  expect(found.flatMap(({ lacking }) => lacking)).toEqual([]);
  expect(found.map(({ name, turns }) => [name, turns])).toEqual(found.map(({ name }) => [name, TURNS[name]]));
  const attempts = job.features.map(({ mistake, change }) => [mistake, world.attempts(change.name).length]);
  expect(attempts).toEqual(job.features.map(({ mistake }) => [mistake, SECOND_ATTEMPTS.includes(mistake) ? 2 : 1]));

  const { bill } = world.server;
  expect(bill.map(({ usage }) => usage)).toEqual(model.spent.map(({ usage }) => usage));
  expect(found.reduce((sum, { fresh }) => sum + fresh, 0)).toBeLessThan(MOST_FRESH);
});
