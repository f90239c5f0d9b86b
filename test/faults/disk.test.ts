/** T2 below the state: each operation of the disk fails, in each way, once and from then on; and power is lost. */
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { FAULTS } from '../support/disk/layer.ts';
import { type Subject, withFault, withPowerLosses } from '../support/disk/lives.ts';
import { testPrograms } from '../support/process/testPrograms.ts';
import { planted } from '../support/suite/planted.ts';
import { type Built, buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { amount, figure, LONG, randomOf, SEED } from '../support/suite/proof.ts';

const PROGRAM = ['test/support/disk/stateJob.ts'];
/** Calls of the disk for one thing to be done: who tries on and on makes thousands. */
const MOST_CALLS = 100;
/** Of the short form: of the operations each eighth, with one fault. */
const STRIDE = LONG ? 1 : 16;
/** Losses of power on one state, before another begins. */
const CRASHES = 20;
const STATES = amount({ short: 2, long: 50 });

const BUGS: Record<string, PlantedBug> = {
  'no sync before the acknowledgement': {
    file: 'src/adapters/log/eventLog.ts',
    find: 'await open.file.sync();',
    put: '',
  },
  "no sync of the folder for a new segment's name": {
    file: 'src/adapters/log/eventLog.ts',
    find: 'if (fresh) await this.#ops.syncDir(this.#events);',
    put: '',
  },
  'no sync of the parent of a new folder': {
    file: 'src/adapters/files/files.ts',
    find: 'for (const folder of made) await syncDir(dirname(folder));',
    put: '',
  },
  'no sync of the folder of kept work': {
    file: 'src/adapters/files/keptWork.ts',
    find: 'replaceFile(ops, ',
    put: 'replaceFile({ ...ops, syncDir: async () => undefined }, ',
  },
};

async function subjectOf(built: Built): Promise<Subject> {
  return (await import(built.program('stateJob').href)) as Subject;
}

const count = (what: string, value: number, aim: { atLeast: number } | { atMost: number } | null): void =>
  figure({ method: 'T2', what, value, unit: '', aim });

describe('a disk', () => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await subjectOf(await testPrograms(inject('tempRoot')));
  });

  test.each([
    ['once', false],
    ['permanently', true],
  ] as const)(
    `that fails %s at its nth operation loses nothing, says so, and is tried no more (seed ${SEED})`,
    async (word, lasting) => {
      let [cases, most] = [0, 0];
      for (let [nth, there] = [1, true]; there; nth += STRIDE) {
        const faults = LONG ? FAULTS : FAULTS.slice(nth % FAULTS.length, (nth % FAULTS.length) + 1);
        for (const fault of faults) {
          const end = await withFault(subject, { fault, nth, lasting }, randomOf(SEED));
          expect(end, `${fault} at operation ${nth}, ${word}`).toMatchObject({ missing: [], untyped: [] });
          if (end.failed > 0) cases++;
          most = Math.max(most, end.most);
          there &&= nth <= end.operations;
        }
      }
      count(`faults of the disk, ${word}, at each of its operations in turn`, cases, null);
      count(`calls of the disk for one thing to be done while it fails ${word}, at most`, most, { atMost: MOST_CALLS });
      expect(most).toBeLessThanOrEqual(MOST_CALLS);
    },
  );

  test(`that loses what was not synced keeps all that was acknowledged (seed ${SEED})`, async () => {
    const sums = { crashes: 0, acknowledged: 0, missing: 0 };
    for (let state = 0; state < STATES; state++) {
      const end = await withPowerLosses(subject, CRASHES, randomOf(SEED + state));
      expect(end, `seed ${SEED + state}, crash ${end.crashes}`).toMatchObject({ missing: [] });
      expect(end.names + end.bytes).toBeGreaterThan(0);
      sums.crashes += end.crashes;
      sums.acknowledged += end.acknowledged;
      sums.missing += end.missing.length;
    }
    count('losses of power', sums.crashes, { atLeast: LONG ? 1_000 : 1 });
    count('acknowledged before one of them', sums.acknowledged, null);
    count('of that lost', sums.missing, { atMost: 0 });
  });
});

for (const [name, bug] of Object.entries(BUGS))
  planted(name, async () => {
    using built = await buildWith(bug, PROGRAM);
    const subject = await subjectOf(built);
    let lost = 0;
    for (let state = 0; state < 10 && lost === 0; state++) {
      lost = (await withPowerLosses(subject, CRASHES, randomOf(SEED + state))).missing.length;
    }
    expect(lost).toBeGreaterThan(0);
  });
