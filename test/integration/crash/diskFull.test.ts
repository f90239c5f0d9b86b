/** No room for the log: a typed failure, nothing that was acknowledged is lost, and it goes on once there is room. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moneyOf, outcomeOf, underWay } from '../../support/crashOutcome.ts';
import { buildPrograms, type CrashPrograms, type CrashWorld, crashWorld } from '../../support/crashWorld.ts';

let programs: CrashPrograms;
let expected: object;
beforeAll(async () => {
  programs = await buildPrograms();
  await using world = await crashWorld(programs);
  expect(await world.run(null)).toMatchObject({ code: 0, stderr: '' });
  expected = outcomeOf(world, await world.state());
});
afterAll(() => programs.remove());

async function check(world: CrashWorld): Promise<void> {
  const state = await world.state();
  expect(outcomeOf(world, state)).toEqual(expected);
  expect(underWay(world, state)).toEqual([]);
  expect(moneyOf(world, state)).toMatchObject({ invented: [], lost: 0 });
}

describe.concurrent('a full disk', () => {
  // A reservation, a settlement, an answer of the steward, an attempt's end, and whatever the last ones are.
  test.for([7, 8, 11, 17, 22, 27, 43, 60, 80, 106])('at line %i of the log', async (nth) => {
    await using world = await crashWorld(programs);
    expect(await world.run({ at: 'full', nth })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^(DISK\n)+$/),
    });
    await check(world);
  });
});

/** A namespace of its own, in which root may mount. */
const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

describe.runIf(canMount)('a full file system', () => {
  test('of a few kilobytes', async () => {
    await using world = await crashWorld(programs);
    const { stateDir } = world.places;
    const copy = join(world.places.projectDir, '..', 'state');
    mkdirSync(stateDir);
    const script = [
      'set -e',
      `mount -t tmpfs -o size=2m,mode=700 tmpfs "${stateDir}"`,
      `head -c 2000000 /dev/zero > "${stateDir}/ballast"`,
      `PATH="${world.env['PATH']}" "${process.execPath}" "${join(programs.folder, 'crashOwner.js')}"`,
      `cp -a "${stateDir}" "${copy}"`,
    ].join('\n');
    const env = { ...world.env, BALLAST: join(stateDir, 'ballast') };
    const exit = await world.script(script, env);
    expect(exit).toMatchObject({ code: 0, stderr: expect.stringContaining('DISK') });
    rmSync(stateDir, { recursive: true });
    cpSync(copy, stateDir, { recursive: true });
    await check(world);
  });
});
