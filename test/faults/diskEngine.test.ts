/** T2 with the whole engine: its process on a disk that fails, is full, or loses power, comes to the same end as on a good one. */
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { DISK_PROGRAMS, type DiskWorld, diskWorld, failing, type Run } from '../support/disk/engine.ts';
import { FAULTS } from '../support/disk/layer.ts';
import type { ThreadPlan } from '../support/disk/plan.ts';
import { testPrograms } from '../support/process/testPrograms.ts';
import { planted } from '../support/suite/planted.ts';
import { type Built, buildWith } from '../support/suite/plantedBug.ts';
import { amount, figure, LONG, randomOf, SEED } from '../support/suite/proof.ts';

/** Below the engine, each operation fails in disk.test.ts. */
const FAILING = amount({ short: 0, long: 28 });
const LASTING = amount({ short: 1, long: 14 });
const LOSSES = amount({ short: 1, long: 120 });
/** Of the disk's operations that a start takes, and a little work. */
const LIFE = 250;
/** Losses of power on one job. */
const OF_ONE_JOB = 12;
/** Who cannot start is started again so often. */
const MOST_STARTS = 25;
/** Calls of a disk that fails from some moment on, until it is mended a second later: who tries on and on makes thousands. */
const MOST_CALLS = 100;
/** A namespace of its own, in which root may mount. */
const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

const none = { owner: null, worker: null };
const count = (what: string, value: number, aim: { atLeast: number } | { atMost: number } | null): void =>
  figure({ method: 'T2', what, value, unit: '', aim });

let built: Built;
let expected: object;

/** Starts it until it is over; the operation at which the disk begins to fail comes later each time. */
async function runThrough(world: DiskWorld, what: string, plan: (start: number) => ThreadPlan): Promise<Run[]> {
  const runs: Run[] = [];
  for (let start = 0; start < MOST_STARTS && runs.at(-1)?.code !== 0; start++) {
    const run = await world.run({ owner: plan(start), worker: plan(start) });
    runs.push(run);
    expect(run, what).toMatchObject({ code: expect.toBeOneOf([0, 75]), stderr: '' });
    expect(
      run.failed.filter((line) => !line.startsWith('DISK ')),
      what,
    ).toEqual([]);
  }
  expect(await world.wrong(runs.flatMap(({ told }) => told)), what).toEqual([]);
  expect(await world.outcome(), what).toEqual(expected);
  return runs;
}

describe('the engine on a disk', () => {
  beforeAll(async () => {
    built = await testPrograms(inject('tempRoot'));
    await using world = await diskWorld(built);
    expect(await world.run(none)).toMatchObject({ code: 0, stderr: '', failed: [] });
    expected = await world.outcome();
  });

  test.runIf(FAILING > 0)(`that fails now and then says so and comes to the same end (seed ${SEED})`, async () => {
    const random = randomOf(SEED);
    let faults = 0;
    for (let at = 0; at < FAILING; at++) {
      const fault = FAULTS[(SEED + at) % FAULTS.length] ?? 'EIO';
      const [first, seed] = [1 + random(100), random(1_000_000)];
      await using world = await diskWorld(built);
      const runs = await runThrough(world, `${fault}, first at ${first}, seed ${seed}`, (start) =>
        failing({ fault, single: { first: first + 60 * start, apart: 70, seed } }),
      );
      faults += runs.flatMap((run) => run.faults).length;
    }
    count("faults of the disk under the engine's process", faults, { atLeast: 10 * FAILING });
  });

  // The short form has a disk that is really full for it, where it can make one.
  test.runIf(LONG || !canMount)(
    `that goes on failing waits, tries seldom, and goes on once it is mended (seed ${SEED})`,
    async () => {
      const random = randomOf(SEED + 1);
      let most = 0;
      for (let at = 0; at < LASTING; at++) {
        const fault = FAULTS.filter((one) => one !== 'short')[(SEED + at) % (FAULTS.length - 1)] ?? 'EIO';
        const from = 1 + random(500);
        await using world = await diskWorld(built);
        const runs = await runThrough(world, `${fault} from ${from} on`, (start) =>
          failing({ fault, from: start < 3 ? from : null }),
        );
        most = Math.max(most, ...runs.map((run) => run.faults.length));
      }
      count('calls of a disk that fails until it is repaired, at most', most, { atMost: MOST_CALLS });
      expect(most).toBeLessThanOrEqual(MOST_CALLS);
    },
  );

  test.runIf(canMount)('that is really full goes on once there is room', async () => {
    await using world = await diskWorld(built);
    const run = await world.runInFull();
    expect(run).toMatchObject({
      code: 0,
      stderr: '',
      failed: expect.arrayContaining([expect.stringMatching('^DISK ')]),
    });
    expect(await world.wrong(run.told)).toEqual([]);
    expect(await world.outcome()).toEqual(expected);
  });

  test(`that loses power keeps what was told, and comes to the same end (seed ${SEED})`, async () => {
    const random = randomOf(SEED + 2);
    const sums = { losses: 0, told: 0, lost: 0 };
    while (sums.losses < LOSSES) {
      await using world = await diskWorld(built);
      const told: string[] = [];
      let run: Run | null = null;
      for (let at = 0; run?.code !== 0; at++) {
        const dieAt = at < OF_ONE_JOB && sums.losses < LOSSES ? 1 + random(LIFE) : null;
        run = await world.runToLoss({ owner: failing({ dieAt }), worker: null }, random);
        expect(run).toMatchObject({ stderr: '', failed: [] });
        told.push(...run.told);
        if (run.signal !== null) sums.losses++;
        const lost = await world.lostOf(told);
        sums.lost += lost.length;
        expect(lost, `loss ${sums.losses}`).toEqual([]);
      }
      expect(await world.wrong(told)).toEqual([]);
      expect(await world.outcome()).toEqual(expected);
      sums.told += told.length;
    }
    count("losses of power under the engine's process", sums.losses, { atLeast: LOSSES });
    count('events sent before one of them', sums.told, null);
    count('of them lost', sums.lost, { atMost: 0 });
  });
});

// The short form catches the same bug below the state (disk.test.ts), without another build of the engine.
planted('no sync before an event is sent', async () => {
  const bug = { file: 'src/adapters/log/eventLog.ts', find: 'await open.file.sync();', put: '' };
  using wrong = await buildWith(bug, DISK_PROGRAMS);
  await using world = await diskWorld(wrong);
  const random = randomOf(SEED);
  const told: string[] = [];
  let lost: string[] = [];
  for (let at = 0; at < OF_ONE_JOB && lost.length === 0; at++) {
    told.push(...(await world.runToLoss({ owner: failing({ dieAt: LIFE }), worker: null }, random)).told);
    lost = await world.lostOf(told);
  }
  expect(lost.length).toBeGreaterThan(0);
});
