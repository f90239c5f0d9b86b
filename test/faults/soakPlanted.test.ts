/** T17, that the soak can fail: the shipped program with a leak in it, at work for a job, and its judgement on what must not rise. */
import { expect, test, vi } from 'vitest';
import { type Judged, judge, type Series, seriesOf } from '../soak/soakJudgement.ts';
import { LANES } from '../soak/soakWork.ts';
import { SoakWorld } from '../soak/soakWorld.ts';
import { buildWith, type PlantedBug } from '../support/plantedBug.ts';
import { randomOf, SEED } from '../support/proof.ts';

/** For a machine that does much else. */
vi.setConfig({ testTimeout: 600_000 });

async function descriptorsOf(bug: PlantedBug | null): Promise<Series> {
  using programs = await buildWith(bug, ['src/cli.ts', 'src/worker.ts']);
  await using world = await SoakWorld.open(programs, {
    seconds: 300,
    jobs: 1,
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
  return descriptors;
}

test('planted: a handle left open with each line of a journal: is caught', async () => {
  const leaking = await descriptorsOf({
    file: 'src/adapters/transcripts.ts',
    find: '      await file.sync();',
    put: `      await file.sync();
      Reflect.set(globalThis, Symbol(), await this.#options.ops.openAppend(join(this.#folder, \`\${sessionId}.\${epoch}.jsonl\`)));`,
  });
  expect(judge(leaking), JSON.stringify(leaking.points)).toMatchObject({ broken: true });
  // The same judgement on the same work finds nothing in what is shipped.
  const shipped = await descriptorsOf(null);
  expect(judge(shipped), JSON.stringify(shipped.points)).toMatchObject({ broken: false });
});

/** Of 90 samples that go on rising by so much after the warm-up. */
function judged(rule: Series['rule'], rise: number): Judged | null {
  const random = randomOf(SEED);
  const points = Array.from({ length: 90 }, (_, x) => ({ x, y: 30 + (rise * x) / 60 + random(100) / 100 }));
  return judge({ name: 'what is measured', unit: '', rule, points });
}

test(`planted: a heap that grows by a fifth, and noise that is none (seed ${SEED}): is caught`, () => {
  const rule = { rule: 'grows', percent: 10 } as const;
  expect(judged(rule, 6)?.broken).toBe(true);
  expect(judged(rule, 0)?.broken).toBe(false);
});

test(`planted: a handle kept by each tenth job (seed ${SEED}): is caught`, () => {
  const rule = { rule: 'flat', most: 2 } as const;
  expect(judged(rule, 5)?.broken).toBe(true);
  expect(judged(rule, 0)?.broken).toBe(false);
});
