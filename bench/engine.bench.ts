/**
 * What the engine adds to a feature: wall time less the model's and the verify commands', for 10, 50 and 200 features. Each has two
 * worker calls, one review call, and the verify command `true`; phases of ten features add a summary and a review each.
 */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SimulatedModel } from '../src/adapters/simulated/model.ts';
import type { ScenarioInput } from '../src/adapters/simulated/scenario.ts';
import type { Owner } from '../src/app/owner/assemble.ts';
import { askSums, createMeter, meterDisk, type Sums } from './meter.ts';
import { median, round, show } from './table.ts';
import { benchWorld, jobEnd, openOwner } from './world.ts';

const TARGET_MS = 150;
const PER_PHASE = 10;
const SIZES = [10, 50, 200];

const meter = createMeter();
meterDisk(meter);
const { answer } = SimulatedModel.prototype;
SimulatedModel.prototype.answer = function metered(path, body) {
  const start = performance.now();
  const given = answer.call(this, path, body);
  meter.add('model', performance.now() - start);
  return given;
};

function scenarioOf(features: number): ScenarioInput {
  const report = { tool: 'report', input: { outcome: 'done', summary: 'Wrote it.', question: '' } };
  const write = { tool: 'write', input: { file_path: 'src/{{slug}}.txt', content: 'It is {{feature}}.\n'.repeat(20) } };
  const approved = { verdict: { verdict: 'APPROVED', reason: 'It is there.' } } as const;
  return {
    version: 1,
    title: 'Bench',
    plan: {
      title: 'Bench',
      phases: Array.from({ length: Math.ceil(features / PER_PHASE) }, (_, phase) => ({
        title: `Phase ${phase}`,
        objective: 'Write files.',
        acceptance_criteria: ['The files are there.'],
        verify_commands: ['true'],
        features: Array.from({ length: Math.min(PER_PHASE, features - phase * PER_PHASE) }, (__, at) => ({
          name: `Feature ${phase}-${at}`,
          description: 'Write a file.',
          category: 'bench',
        })),
      })),
    },
    otherwise: {
      feature: {
        attempts: [
          {
            turns: [
              { text: 'I write.', calls: [write] },
              { text: '', calls: [report] },
            ],
          },
        ],
        reviews: [approved],
      },
      phase: { reviews: [approved], summaries: ['Wrote files.'] },
    },
  };
}

interface Run {
  readonly wallMs: number;
  readonly commandMs: number;
  readonly owner: Sums;
  readonly worker: Sums;
  readonly events: number;
}

async function carryOut(owner: Owner, scenario: string): Promise<Omit<Run, 'owner' | 'worker' | 'commandMs'>> {
  let events = 0;
  let start = 0;
  let end = 0;
  const over = jobEnd(owner, ({ type }) => {
    events++;
    if (type === 'plan_accepted') start = performance.now();
    if (type === 'phase_approved') end = performance.now();
  });
  await owner.request('submitBrief', {
    brief: 'Write files.',
    provider: 'simulated',
    scenario,
    gates: [],
    mergeMode: 'patch',
    setup: [],
    allowedCommands: [['true']],
    reviewEachFeature: true,
    batch: 1,
  });
  await over;
  return { wallMs: end - start, events };
}

async function run(features: number): Promise<Run> {
  const world = benchWorld({ 'README.md': 'Bench\n' }, ['git', 'true']);
  try {
    const scenario = join(world.folder, 'scenario.json');
    writeFileSync(scenario, JSON.stringify(scenarioOf(features)));
    const owner = await openOwner(world, undefined, new URL('./engineWorker.ts', import.meta.url));
    meter.take();
    const ran = await carryOut(owner, scenario);
    const evidence = [...owner.state.attempts.values()]
      .filter((row) => row.feature_id !== null)
      .flatMap((row) => row.evidence);
    const sums = { owner: meter.take(), worker: await askSums() };
    await owner.close();
    return { ...ran, ...sums, commandMs: evidence.reduce((sum, one) => sum + one.durationMs, 0) };
  } finally {
    rmSync(world.folder, { recursive: true, force: true });
  }
}

/** What one git process costs here and now that does nothing: a load of the machine shows in it. */
function bareGit(): number {
  const times = Array.from({ length: 15 }, () => {
    const start = performance.now();
    spawnSync('git', ['--version']);
    return performance.now() - start;
  });
  return median(times);
}

const sizes = process.env['BENCH_FEATURES']?.split(',').map(Number) ?? SIZES;
const rows: (readonly (string | number)[])[] = [];
let first: number | null = null;
for (const features of sizes) {
  const { wallMs, commandMs, owner, worker, events } = await run(features);
  const modelMs = owner['model']?.ms ?? 0;
  const each = (wallMs - commandMs - modelMs) / features;
  first ??= each;
  rows.push([
    features,
    round(wallMs / features),
    round(commandMs / features),
    round(modelMs / features),
    round(each),
    round(each / first, 2),
    round(each / bareGit()),
    TARGET_MS,
    each <= TARGET_MS ? 'met' : 'MISSED',
  ]);
  const parts = [
    ...Object.entries(worker).map(([name, sum]) => [`worker: ${name}`, sum] as const),
    ...Object.entries(owner).map(([name, sum]) => [`owner: ${name}`, sum] as const),
  ];
  show(
    `Where the time goes with ${features} features (${round(events / features)} events each)`,
    ['what', 'times a feature', 'ms a feature'],
    parts
      .toSorted(([, a], [, b]) => b.ms - a.ms)
      .slice(0, 16)
      .map(([name, { count, ms }]) => [name, round(count / features, 2), round(ms / features, 2)]),
  );
}
show(
  'Engine per feature: 2 worker calls, 1 review call, 1 verify command (ms)',
  ['features', 'wall', 'commands', 'model', 'engine', 'to the first', 'in bare gits', 'target', ''],
  rows,
);
