/** T8: our code on machines whose clocks jump, sleep and stall. */
import { afterEach, describe, expect, it } from 'vitest';
import { planted } from '../support/suite/planted.ts';
import { type Built, buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { amount, figure, SEED } from '../support/suite/proof.ts';
import { JUDGED, type Judged } from './time/judged.ts';
import { type Broken, playTime } from './time/script.ts';
import type { TimePromise } from './time/world.ts';

const SCRIPTS = amount({ short: 100, long: 10_000 });
/** Seeds that broke a promise once: of an alarm set after a sleep, of an hour that comes twice. */
const COUNTER_EXAMPLES = [20261265, 20261327, 20261272, 20262165, 20266608];

const PROMISES: readonly TimePromise[] = [
  'false deaths',
  'deaths that were not noticed',
  'wake-ups over 60 s late',
  'wake-ups too early',
  'days with more than their budget',
  'days that were opened again',
  'times that were run twice',
  'times that were not made up for',
];

type Found = Broken & { readonly seed: number; readonly told: string };

/** Every promise that was broken, with the seed and the script that broke it. */
async function brokenBy(judged: Judged, seeds: Iterable<number>): Promise<Found[]> {
  const all: Found[] = [];
  for (const seed of seeds) {
    const played = await playTime(judged, seed);
    for (const one of played.broken) all.push({ ...one, seed, told: played.told.join('; ') });
  }
  return all;
}

const broken = (judged: Judged, scripts: number): Promise<Found[]> =>
  brokenBy(
    judged,
    Array.from({ length: scripts }, (_, nth) => SEED + nth),
  );

describe(`time, from seed ${SEED}`, () => {
  it(`${SCRIPTS} scripts of jumps, sleeps and stalls break no promise`, async () => {
    const found = await broken(JUDGED, SCRIPTS);
    figure({
      method: 'T8',
      what: 'scripts of clock jumps, sleep, stalls and restarts',
      value: SCRIPTS,
      unit: '',
      aim: { atLeast: 300 },
    });
    for (const promise of PROMISES) {
      const value = found.filter((one) => one.promise === promise).length;
      figure({ method: 'T8', what: promise, value, unit: '', aim: { atMost: 0 } });
    }
    expect(found.slice(0, 10)).toEqual([]);
  });

  it('scripts that broke a promise once break none', async () => {
    expect(await brokenBy(JUDGED, COUNTER_EXAMPLES)).toEqual([]);
  });
});

const made: Built[] = [];
afterEach(() => made.splice(0).forEach((built) => void built[Symbol.dispose]()));

async function withBug(bug: PlantedBug): Promise<Judged> {
  const built = await buildWith(bug, ['test/faults/time/judged.ts']);
  made.push(built);
  return ((await import(built.program('judged').href)) as { JUDGED: Judged }).JUDGED;
}

const BUGS: readonly (PlantedBug & { readonly name: string })[] = [
  {
    name: 'a watchdog by the wall clock',
    file: 'src/adapters/clock.ts',
    find: `    const start = machine.monotonic();
    cancel = machine.after(slice, () => {
      left -= Math.max(slice, Math.min(machine.monotonic() - start, slice + LATE_MS));`,
    put: `    const start = machine.now();
    cancel = machine.after(slice, () => {
      left -= machine.now() - start;`,
  },
  {
    name: 'a stopwatch that counts sleep',
    file: 'src/core/session/stopwatch.ts',
    find: 'Math.min(now - this.#seen, TICK_MS + LATE_MS)',
    put: 'now - this.#seen',
  },
];
for (const { name, ...bug } of BUGS)
  planted(name, async () => {
    expect(await promisesBrokenBy(await withBug(bug))).toContain('false deaths');
  });

planted('a day by the clock alone', async () => {
  const bug = { file: 'src/core/text/day.ts', find: 'return b;', put: 'return a;' };
  expect(await promisesBrokenBy(await withBug(bug))).toContain('days that were opened again');
});

planted('a schedule that runs a missed time twice', async () => {
  const forgetful: Judged = {
    ...JUDGED,
    reduce: (state, event) =>
      JUDGED.reduce(state, event.type === 'task_created' ? { ...event, schedule: null } : event),
  };
  expect(await promisesBrokenBy(forgetful)).toContain('times that were run twice');
});

async function promisesBrokenBy(judged: Judged): Promise<TimePromise[]> {
  return (await broken(judged, 20)).map(({ promise }) => promise);
}
