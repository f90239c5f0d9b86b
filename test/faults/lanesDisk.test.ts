/** T2 with several features at once: the disk is full for one lane, then for a merge. The work of every lane is still there once it has room. */
import { chmodSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { attempt, report, write } from '../support/demo/briefs.ts';
import { testPrograms } from '../support/process/testPrograms.ts';
import { QuickClock } from '../support/time/quickClock.ts';
import type { EngineWorld } from '../support/world/engineWorld.ts';
import { isAt, laneWorld, waits } from '../support/world/laneWorld.ts';

/** The wait of the engine after a failure of the disk. */
const HALF_A_MINUTE = 30_000;

/** A git that cannot write one byte: in the tree of the second lane, or in a merge, whichever the file `full` names. */
const script = (git: string, folder: string) => `#!/bin/sh
if [ -f '${folder}/full' ]; then
  read -r where < '${folder}/full'
  case "$where $GIT_WORK_TREE $*" in
    'lane '*-2' '* | 'merge '*merge-tree*) trap '' XFSZ; ulimit -f 0 ;;
  esac
fi
exec '${git}' "$@"
`;

async function smallDisk() {
  const { fewPrograms, compiled } = await testPrograms(inject('tempRoot'));
  const folder = mkdtempSync(join(inject('tempRoot'), 'git-'));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), script(readlinkSync(join(fewPrograms, 'git')), folder));
  chmodSync(join(bin, 'git'), 0o755);
  const PATH = `${bin}${delimiter}${fewPrograms}`;
  return {
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, PATH },
    fill: (where: 'lane' | 'merge') => writeFileSync(join(folder, 'full'), `${where}\n`),
    makeRoom: () => rmSync(join(folder, 'full')),
  };
}

/** Of four turns: it writes, waits, writes and reports. */
const worker = (name: string, gate: number) => ({
  name,
  attempts: [
    {
      turns: [
        ...attempt(write(`${name}1.txt`, name)).turns,
        ...attempt(waits(gate)).turns,
        ...attempt(write(`${name}2.txt`, name), report('done')).turns,
      ],
    },
  ],
});

const failures = (world: EngineWorld, count: number) =>
  world.until(`failure ${count} of the disk`, () => world.failures.length === count);

test('a full disk stops the job and says so; once there is room, every lane continues its attempt and pays for no answer twice', async () => {
  const disk = await smallDisk();
  const clock = new QuickClock();
  const { world, allowedCommands, go } = await laneWorld(
    [{ features: [worker('A', 1), worker('B', 2)] }, { features: [worker('C', 3), worker('D', 4)] }],
    { clock, owner: { env: disk.env } },
  );
  await using _ = world;
  await world.submit({ lanes: 2, allowedCommands });
  await world.until('both work', () => isAt(world, 1) && isAt(world, 2));
  disk.fill('lane');
  go(2);
  await failures(world, 1);
  // The lane with room keeps what it did, and waits with the other one.
  expect(world.attempts('A')).toMatchObject([{ status: 'interrupted' }]);
  clock.skip(HALF_A_MINUTE);
  await failures(world, 2);
  disk.makeRoom();
  go(1);
  clock.skip(HALF_A_MINUTE);

  await world.until('the next phase works', () => isAt(world, 3) && isAt(world, 4));
  go(4);
  await world.until('D is complete', () => world.feature('D').status === 'completed');
  disk.fill('merge');
  go(3);
  await failures(world, 3);
  expect(world.attempts('C')).toMatchObject([{ status: 'queued', returns: [] }]);
  disk.makeRoom();
  clock.skip(HALF_A_MINUTE);
  await world.is('completed');

  expect(world.failures.map(({ code }) => code)).toEqual(['DISK', 'DISK', 'DISK']);
  for (const name of ['A', 'B', 'C', 'D']) {
    expect(world.attempts(name)).toMatchObject([{ status: 'succeeded', number: 1, returns: [] }]);
    expect(world.feature(name).retry_count).toBe(0);
    expect(world.sent('worker', name)).toHaveLength(4);
    expect(world.git('ls-tree', '--name-only', 'main').split('\n')).toEqual(
      expect.arrayContaining([`${name}1.txt`, `${name}2.txt`]),
    );
  }
  expect(world.git('log', '--format=%s', 'main^..main^2').split('\n').toSorted()).toEqual(['A', 'B', 'C', 'D']);
  expect(world.happened('approval_requested')).toEqual([]);
});
