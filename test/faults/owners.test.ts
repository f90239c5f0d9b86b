/** T3: owners that fight for one state, and what one of them was told to be done stays done. */
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { type Fight, fight, type Judged, judge } from '../support/crash/fightingOwners.ts';
import { testPrograms } from '../support/process/testPrograms.ts';
import { stateFolder } from '../support/state/stateFolder.ts';
import { planted } from '../support/suite/planted.ts';
import { type Built, buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { amount, figure, LONG, randomOf, SEED } from '../support/suite/proof.ts';

const FIGHTS = amount({ short: 1, long: 2 });
/** Of one fight. */
const COMMITS = LONG ? 10_000 : 500;
/** Of a fight with a bug, which is lost at once or a little later. */
const FEW = 150;
const MOST_FIGHTS = 5;
const PROGRAM = [fileURLToPath(new URL('../support/process/ownerProcess.ts', import.meta.url))];

const BUGS: Record<string, PlantedBug> = {
  'no look at the epochs after the write': {
    file: 'src/adapters/log/eventLog.ts',
    find: 'await checkEpoch(this.#epochs, this.#epoch, this.#ops);',
    put: '',
  },
  'a lock judged by the age of its file': {
    file: 'src/adapters/log/epoch.ts',
    find: 'const highest = highestOf(epochs);\n  if (highest === mine) return;',
    put: `const { readFileSync, statSync, writeFileSync } = await import('node:fs');
      const lock = join(folder, 'lock');
      const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      const highest = age > 100 || epochs.length === 0 ? mine : Number(readFileSync(lock, 'utf8'));
      if (highest === mine) return writeFileSync(lock, String(mine));`,
  },
};

async function fought(by: Built, owners: number, commits: number, seed: number): Promise<Fight & Judged> {
  using folder = stateFolder();
  const told = await fight(folder, { program: by.program('ownerProcess'), owners, commits, random: randomOf(seed) });
  return { ...told, ...(await judge(folder, told)) };
}

describe('owners that are killed and frozen', () => {
  const sums = { acknowledged: 0, lost: 0, doubled: 0, refusals: 0, kills: 0, stops: 0 };
  afterAll(() => {
    const tell = (what: string, value: number, aim: { atLeast: number } | { atMost: number } | null): void =>
      figure({ method: 'T3', what, value, unit: '', aim });
    tell('events acknowledged to two and four owners fighting for one state', sums.acknowledged, { atLeast: 20_000 });
    tell('of them lost', sums.lost, { atMost: 0 });
    tell('places or events doubled', sums.doubled, { atMost: 0 });
    tell('owners killed', sums.kills, null);
    tell('owners frozen and thawed', sums.stops, null);
    tell('owners refused because another had taken over', sums.refusals, { atLeast: 1 });
  });

  test.each([2, 4])(`%i of them lose nothing that was acknowledged (seed ${SEED})`, async (owners) => {
    for (let at = 0; at < FIGHTS; at++) {
      const found = await fought(await testPrograms(inject('tempRoot')), owners, COMMITS, SEED + owners + 10 * at);
      sums.acknowledged += found.acknowledged.length;
      sums.lost += found.lost.length;
      sums.doubled += found.doubled.length;
      sums.refusals += found.refusals;
      sums.kills += found.kills;
      sums.stops += found.stops;
      expect(found, `fight ${at}`).toMatchObject({ lost: [], doubled: [], problems: [], errors: [] });
      expect(found.refusals).toBeGreaterThan(0);
    }
  });

  for (const [name, bug] of Object.entries(BUGS))
    planted(name, async () => {
      using wrong = await buildWith(bug, PROGRAM);
      let lost = 0;
      for (let at = 0; at < MOST_FIGHTS && lost === 0; at++) {
        lost = (await fought(wrong, 2, FEW, SEED + at)).lost.length;
      }
      expect(lost).toBeGreaterThan(0);
    });
});
