/** T17, that the soak can fail: the shipped program with a leak in it, at work for two jobs, and its judgement on what must not rise. */
import { expect, test, vi } from 'vitest';
import type { Compared } from '../soak/soakFresh.ts';
import { type Judged, judge, type Series, seriesOf } from '../soak/soakJudgement.ts';
import { LANES } from '../soak/soakWork.ts';
import { SoakWorld } from '../soak/soakWorld.ts';
import { buildWith, type PlantedBug } from '../support/plantedBug.ts';
import { randomOf, SEED } from '../support/proof.ts';

/** For a machine that does much else. */
vi.setConfig({ testTimeout: 600_000 });

interface Looked {
  readonly descriptors: Series;
  readonly compared: readonly Compared[];
}

async function looked(bug: PlantedBug | null): Promise<Looked> {
  using programs = await buildWith(bug, ['src/cli.ts', 'src/worker.ts']);
  await using world = await SoakWorld.open(programs, {
    seconds: 300,
    jobs: 2,
    lanes: LANES.slice(0, 1),
    seed: SEED,
    faults: 0,
    thinkMs: 10,
    sampleMs: 300,
    inside: false,
    messageMs: 600_000,
    kills: 0,
  });
  await world.run(() => undefined);
  const all = seriesOf(world.samples, world.threadSamples(), world.ceilingBytes);
  const descriptors = all.find(({ name }) => name === 'open file descriptors');
  if (descriptors === undefined) throw new Error('nobody counts them');
  return { descriptors, compared: world.compared };
}

test('planted: a handle and a copy of its events kept with each write of the log: is caught', async () => {
  const leaking = await looked({
    file: 'src/adapters/log/eventLog.ts',
    find: '    await open.file.sync();',
    put: `    await open.file.sync();
    Reflect.set(globalThis, Symbol(), [await this.#ops.openAppend(open.path), structuredClone(Array(100).fill(text).map((one, k) => k + one))]);`,
  });
  expect(judge(leaking.descriptors), JSON.stringify(leaking.descriptors.points)).toMatchObject({ broken: true });
  expect(leaking.compared).toMatchObject([{ name: expect.stringContaining('heap of the owner'), broken: true }, {}]);
  // The same judgement on the same work finds nothing in what is shipped.
  const shipped = await looked(null);
  expect(judge(shipped.descriptors), JSON.stringify(shipped.descriptors.points)).toMatchObject({ broken: false });
  expect(shipped.compared).toMatchObject([{ broken: false }, { broken: false }]);
});

/** Of 90 samples that go on rising by so much after the warm-up; `bend` 2: ever faster. */
function judged(rule: Series['rule'], rise: number, bend = 1): Judged | null {
  const random = randomOf(SEED);
  const points = Array.from({ length: 90 }, (_, x) => ({ x, y: 30 + rise * (x / 60) ** bend + random(100) / 100 }));
  return judge({ name: 'what is measured', unit: '', rule, points });
}

test(`planted: a heap that each job makes grow more than the one before (seed ${SEED}): is caught`, () => {
  const rule = { rule: 'even', percent: 10 } as const;
  expect(judged(rule, 6, 2)?.broken).toBe(true);
  for (const rise of [6, 0, -6]) expect(judged(rule, rise)?.broken).toBe(false);
});

test(`planted: a handle kept by each tenth job (seed ${SEED}): is caught`, () => {
  const rule = { rule: 'flat', most: 2 } as const;
  expect(judged(rule, 5)?.broken).toBe(true);
  expect(judged(rule, 0)?.broken).toBe(false);
});
