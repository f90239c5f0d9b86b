/** T17, that the soak can fail: the shipped program with a leak in it, at work for a job, and its judgement on what must not rise. */
import { expect, vi } from 'vitest';
import type { Compared } from '../soak/soakFresh.ts';
import { type Judged, judge, MOST_MORE, type Series } from '../soak/soakJudgement.ts';
import { LANES } from '../soak/soakWork.ts';
import { SoakWorld } from '../soak/soakWorld.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { randomOf, SEED } from '../support/suite/proof.ts';

/** For a machine that does much else. */
vi.setConfig({ testTimeout: 600_000 });

/** What a thread that had work holds open, and the new owner's had none: its journal, what it watches. */
const OF_A_THREAD = 5;

/** What its owner holds at the end beyond a new one: of its heap, and of open files. */
async function beyondNew(bug: PlantedBug | null): Promise<Compared[]> {
  using programs = await buildWith(bug, ['src/cli.ts', 'src/worker.ts']);
  await using world = await SoakWorld.open(programs, {
    seconds: 300,
    jobs: 1,
    lanes: LANES.slice(0, 1),
    seed: SEED,
    faults: 0,
    thinkMs: 10,
    sampleMs: 600_000,
    inside: false,
    messageMs: 600_000,
    kills: 0,
    lastJobs: 0,
  });
  await world.run(() => undefined);
  const told = world.compared.filter(({ name }) => /^(heap of the owner|open file descriptors)/.test(name));
  expect(told).toHaveLength(2);
  return told;
}

planted('a handle and a copy of its events kept with each write of the log', async () => {
  const leaking = await beyondNew({
    file: 'src/adapters/log/eventLog.ts',
    find: '    await open.file.sync();',
    put: `    await open.file.sync();
    Reflect.set(globalThis, Symbol(), [await this.#ops.openAppend(open.path), structuredClone(Array(100).fill(text).map((one, k) => k + one))]);`,
  });
  expect(leaking).toMatchObject([{ broken: true }, { broken: true }]);
  expect(leaking[1]?.value).toBeGreaterThan(MOST_MORE + OF_A_THREAD);
  // The same judgement on the same work finds nothing in what is shipped.
  const [heap, descriptors] = await beyondNew(null);
  expect(heap).toMatchObject({ broken: false });
  expect(descriptors?.value).toBeLessThanOrEqual(MOST_MORE + OF_A_THREAD);
});

/** Of 90 samples that go on rising by so much after the warm-up; `bend` 2: ever faster. */
function judged(rule: Series['rule'], rise: number, bend = 1): Judged | null {
  const random = randomOf(SEED);
  const points = Array.from({ length: 90 }, (_, x) => ({ x, y: 30 + rise * (x / 60) ** bend + random(100) / 100 }));
  return judge({ name: 'what is measured', unit: '', rule, points });
}

planted(`a heap that each job makes grow more than the one before (seed ${SEED})`, () => {
  const rule = { rule: 'even', percent: 10 } as const;
  expect(judged(rule, 6, 2)?.broken).toBe(true);
  for (const rise of [6, 0, -6]) expect(judged(rule, rise)?.broken).toBe(false);
});

planted(`a handle kept by each tenth job (seed ${SEED})`, () => {
  const rule = { rule: 'flat', most: 2 } as const;
  expect(judged(rule, 5)?.broken).toBe(true);
  expect(judged(rule, 0)?.broken).toBe(false);
});
