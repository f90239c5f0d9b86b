/** The program itself: its help, and which workspace it works in. */
import { expect, test } from 'vitest';
import type { Place } from '../../../../src/engine/workspace/workspace.ts';
import { terminalWorld, type World } from '../../../support/world/terminalWorld.ts';

test('another project is named in every command to copy', async () => {
  const world = await terminalWorld();
  expect(await world.run('run', 'x', '--project-dir', "../it's here", '--jobs-dir', '/jobs')).toBe(3);
  expect(world.out).toContain(String.raw`autonomous approve 1 --project-dir '../it'\''s here' --jobs-dir /jobs`);
});

test('a workspace that the environment names is not named again', async () => {
  const world = await terminalWorld({ overrides: { env: { AUTONOMOUS_PROJECT_DIR: '/home/me/other' } } });
  expect(await world.run('run', 'x')).toBe(3);
  expect(world.out).toMatch(/^ +Approve: +autonomous approve 1$/m);
});

test('without words the help is printed', async () => {
  const world = await terminalWorld();
  expect(await world.run()).toBe(0);
  const { out } = world;
  world.clear();
  expect(await world.run('--help')).toBe(0);
  expect(out).toBe(world.out);
  expect(out).toMatch(/^Usage: autonomous /);
  expect(await world.run('task')).toBe(2);
  expect(world.err).toBe('autonomous: missing subcommand\n  See `autonomous task --help`.\n');
});

/** The places that verbs ask for from now on. */
function workspacePathsOf({ deps: { workspaces } }: World): readonly Place[] {
  const seen: Place[] = [];
  const { at } = workspaces;
  Object.assign(workspaces, {
    at: (place: Place) => {
      seen.push(place);
      return at(place);
    },
  });
  return seen;
}

test('AUTONOMOUS_PROJECT_DIR is the project when no option is', async () => {
  const world = await terminalWorld({ overrides: { env: { AUTONOMOUS_PROJECT_DIR: '/elsewhere' } } });
  const seen = workspacePathsOf(world);
  await world.run('board');
  await world.run('--project-dir', 'sub', 'board');
  expect(seen.map(({ folder }) => folder)).toEqual(['/elsewhere', '/home/me/project/sub']);
});

test('each verb looks for clones where --jobs-dir or AUTONOMOUS_JOBS_DIR says', async () => {
  const world = await terminalWorld({ overrides: { env: { AUTONOMOUS_JOBS_DIR: '/clones' } } });
  const seen = workspacePathsOf(world);
  await world.run('doctor');
  await world.run('--jobs-dir', 'sub', 'doctor');
  expect(seen.map(({ jobsDir }) => jobsDir)).toEqual(['/clones', '/home/me/project/sub']);
});
