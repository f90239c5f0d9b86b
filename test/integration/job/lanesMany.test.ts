/** As many lanes as there may be, and more features than lanes: each becomes one commit, on top of all that it depends on. */
import { expect, test } from 'vitest';
import { laneWorld } from '../../support/world/laneWorld.ts';

const LANES = 16;
const OF_A_LEVEL = 10;
const LEVELS = 3;

const nameOf = (level: number, at: number): string => `L${level}N${at}`;

/** Each depends on two of the level before. */
const features = Array.from({ length: LEVELS }, (_, level) =>
  Array.from({ length: OF_A_LEVEL }, (_, at) => ({
    name: nameOf(level, at),
    after: level === 0 ? [] : [nameOf(level - 1, at), nameOf(level - 1, (at + 3) % OF_A_LEVEL)],
  })),
).flat();

test('30 features of three levels in 16 lanes', async () => {
  const { world, allowedCommands } = await laneWorld([{ features }]);
  await using _ = world;
  await world.submit({ lanes: LANES, allowedCommands, mergeMode: 'branch' });
  const { branch, baseline, head } = await world.is('completed');

  // One commit for each feature, in one line on top of the baseline.
  const lines = world.git('rev-list', '--reverse', '--parents', `${baseline}..${branch}`).split('\n');
  const commits = lines.map((line) => line.split(' '));
  expect(commits).toHaveLength(features.length);
  expect(commits.map(([, ...parents]) => parents)).toEqual(
    commits.map((__, at) => [at === 0 ? baseline : commits[at - 1]?.[0]]),
  );
  expect(commits.at(-1)?.[0]).toBe(head);
  const rows = features.map(({ name }) => world.feature(name));
  expect(rows.map(({ commit }) => commit).toSorted()).toEqual(commits.map(([commit]) => commit).toSorted());
  expect(rows.map(({ status, retry_count }) => `${status} ${retry_count}`)).toEqual(features.map(() => 'completed 0'));

  // Each attempt started on a commit that has its dependencies: the one that the event names, and git agrees.
  const started = world.happened('attempt_started').filter(({ feature_id }) => feature_id !== null);
  expect(started).toHaveLength(features.length);
  for (const { feature_id, base_commit, integrated = [] } of started) {
    const row = rows.find(({ id }) => id === feature_id);
    expect(integrated.map((one) => one.feature_id).toSorted()).toEqual(row?.depends_on.toSorted());
    for (const { feature_id: on, commit } of integrated) {
      expect(commit).toBe(rows.find(({ id }) => id === on)?.commit);
      expect(world.git('merge-base', '--is-ancestor', commit, base_commit)).toBe('');
    }
  }
  expect(new Set(started.map(({ lane }) => lane)).size).toBeGreaterThan(LANES / 2);
  const files = world.git('ls-tree', '--name-only', branch).split('\n');
  expect(files).toEqual(expect.arrayContaining(features.map(({ name }) => `${name}.txt`)));
});
