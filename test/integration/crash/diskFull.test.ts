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

/** Full again and again in one run: no room for the next line of each type in turn, those of the second row lying between the first's. */
const FULL_AT = [
  ['call_reserved', 'approval_decided', 'attempt_ended', 'attempt_started', 'phase_summarized', 'approval_requested'],
  ['call_settled', 'attempt_started', 'note_added', 'attempt_ended', 'phase_rejected', 'attempt_ended', 'merge_begun'],
];

describe.concurrent('a full disk', () => {
  test.for(FULL_AT.map((types) => [types.join(', '), types] as const))('at each of: %s', async ([, types]) => {
    await using world = await crashWorld(programs);
    const { code, stderr } = await world.run({ at: 'full', types });
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(DISK\n)+$/) });
    expect(stderr.match(/DISK/g)?.length).toBeGreaterThanOrEqual(types.length);
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
