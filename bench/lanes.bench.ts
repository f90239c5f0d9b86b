/**
 * Eight independent features with one and with four lanes: wall time and cost. Each feature has four worker calls of 2 s; the verify
 * command is `true`.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScenarioInput } from '../src/adapters/simulated/scenario.ts';
import { round, show } from './table.ts';
import { benchWorld, openOwner } from './world.ts';

const FEATURES = 8;
const CALL_MS = 2_000;
const MOST_TIME = 0.35;
const MOST_COST = 1.15;

const write = (part: number) => ({
  text: 'I write.',
  calls: [
    { tool: 'write', input: { file_path: `src/{{slug}}-${part}.txt`, content: 'It is {{feature}}.\n'.repeat(20) } },
  ],
});
const SCENARIO: ScenarioInput = {
  version: 1,
  title: 'Bench',
  plan: {
    title: 'Bench',
    phases: [
      {
        title: 'Phase',
        objective: 'Write files.',
        acceptance_criteria: ['The files are there.'],
        verify_commands: ['true'],
        features: Array.from({ length: FEATURES }, (_, at) => ({
          name: `Feature ${at}`,
          description: 'Write files.',
          category: 'bench',
        })),
      },
    ],
  },
  otherwise: {
    feature: {
      attempts: [
        {
          turns: [
            write(1),
            write(2),
            write(3),
            { text: '', calls: [{ tool: 'report', input: { outcome: 'done', summary: 'Wrote it.', question: '' } }] },
          ],
        },
      ],
    },
    phase: { reviews: [{ verdict: { verdict: 'APPROVED', reason: 'It is there.' } }], summaries: ['Wrote files.'] },
  },
};

interface Run {
  readonly ms: number;
  readonly microUsd: number;
  readonly merged: number;
}

async function run(lanes: number): Promise<Run> {
  const world = benchWorld({ 'README.md': 'Bench\n' }, ['git', 'true']);
  try {
    const scenario = join(world.folder, 'scenario.json');
    writeFileSync(scenario, JSON.stringify(SCENARIO));
    const owner = await openOwner(world, undefined, undefined, CALL_MS);
    const over = Promise.withResolvers<void>();
    let [start, end, merged] = [0, 0, 0];
    owner.follow({
      event: (event) => {
        if (event.type === 'phase_started') start = performance.now();
        if (event.type === 'phase_reviewing') end = performance.now();
        if (event.type === 'attempt_queued') merged++;
        if (event.type === 'job_completed') over.resolve();
        if (event.type === 'approval_requested' || event.type === 'job_failed')
          over.reject(new Error(JSON.stringify(event)));
      },
      failed: (_, { message }) => over.reject(new Error(message)),
    });
    await owner.request('submitBrief', {
      brief: 'Write files.',
      provider: 'simulated',
      scenario,
      gates: [],
      mergeMode: 'patch',
      setup: [],
      allowedCommands: [['true']],
      lanes,
    });
    await over.promise;
    const spent = [...owner.state.spends.values()];
    const microUsd = spent.reduce((sum, row) => sum + (row.status === 'settled' ? row.settled_micro_usd : 0), 0);
    await owner.close();
    return { ms: end - start, microUsd, merged };
  } finally {
    rmSync(world.folder, { recursive: true, force: true });
  }
}

const one = await run(1);
const four = await run(4);
const [time, cost] = [four.ms / one.ms, four.microUsd / one.microUsd];
show(
  `${FEATURES} independent features, ${CALL_MS / 1000} s per call: four lanes against one`,
  ['', 'one lane', 'four lanes', 'ratio', 'at most', ''],
  [
    [
      'seconds',
      round(one.ms / 1000, 1),
      round(four.ms / 1000, 1),
      round(time, 2),
      MOST_TIME,
      time <= MOST_TIME ? 'met' : 'MISSED',
    ],
    ['micro-USD', one.microUsd, four.microUsd, round(cost, 2), MOST_COST, cost <= MOST_COST ? 'met' : 'MISSED'],
    ['merged by the queue', one.merged, four.merged, '', '', ''],
  ],
);
