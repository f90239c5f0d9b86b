/**
 * Eight independent features with one and with four lanes: wall time and cost. Each feature has four worker calls of 2 s; the verify
 * command is `true`. Then the reset of a lane's tree for its next feature, against a local clone.
 */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../src/adapters/clock.ts';
import { createGit } from '../src/adapters/git/gitPort.ts';
import type { ScenarioInput } from '../src/adapters/simulated/scenario.ts';
import type { JobTree } from '../src/engine/job/gitPorts.ts';
import { writeFiles } from '../test/support/git/gitFixture.ts';
import { median, round, show } from './table.ts';
import { benchWorld, jobEnd, openOwner } from './world.ts';

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
const CHAIN = 10;
const MOST_CHAIN = 2.5;

/** `chained`: each feature depends on the one before it. */
const scenarioOf = (count: number, chained: boolean): ScenarioInput => ({
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
        features: Array.from({ length: count }, (_, at) => ({
          name: `Feature ${at}`,
          description: 'Write files.',
          category: 'bench',
          depends_on: chained && at > 0 ? [`Feature ${at - 1}`] : [],
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
});

interface Run {
  readonly ms: number;
  readonly microUsd: number;
  readonly merged: number;
}

async function run(lanes: number, content: ScenarioInput, callMs: number): Promise<Run> {
  const world = benchWorld({ 'README.md': 'Bench\n' }, ['git', 'true']);
  try {
    const scenario = join(world.folder, 'scenario.json');
    writeFileSync(scenario, JSON.stringify(content));
    const owner = await openOwner(world, undefined, undefined, callMs);
    let [start, end, merged] = [0, 0, 0];
    const over = jobEnd(owner, ({ type }) => {
      if (type === 'phase_started') start = performance.now();
      if (type === 'phase_reviewing') end = performance.now();
      if (type === 'attempt_queued') merged++;
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
    await over;
    const spent = [...owner.state.spends.values()];
    const microUsd = spent.reduce((sum, row) => sum + (row.status === 'settled' ? row.settled_micro_usd : 0), 0);
    await owner.close();
    return { ms: end - start, microUsd, merged };
  } finally {
    rmSync(world.folder, { recursive: true, force: true });
  }
}

const independent = scenarioOf(FEATURES, false);
const one = await run(1, independent, CALL_MS);
const four = await run(4, independent, CALL_MS);
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

/** An agent without a model: a process that writes the three files of a feature. */
const AGENT = `const { mkdirSync, writeFileSync } = require('node:fs');
const [, at] = process.argv;
mkdirSync('src', { recursive: true });
for (const part of [1, 2, 3]) writeFileSync('src/feature-' + at + '-' + part + '.txt', ('It is Feature ' + at + '.\\n').repeat(20));`;

/** A loop around an agent: for each feature its process runs, the verify command runs, and git commits. */
function bareLoop(): number {
  const { folder, places } = benchWorld({ 'README.md': 'Bench\n' }, ['git', 'true']);
  const options = { cwd: places.projectDir };
  try {
    const start = performance.now();
    for (let at = 0; at < CHAIN; at++) {
      execFileSync(process.execPath, ['-e', AGENT, String(at)], options);
      execFileSync('sh', ['-c', 'true'], options);
      execFileSync('git', ['add', '--all'], options);
      execFileSync('git', ['commit', '--quiet', '--message', `Feature ${at}`], options);
    }
    return performance.now() - start;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const bares: number[] = [];
const chains: number[] = [];
for (let nth = 0; nth < 3; nth++) {
  bares.push(bareLoop());
  chains.push((await run(1, scenarioOf(CHAIN, true), 0)).ms);
}
const [bare, chain] = [median(bares), median(chains)];
show(
  `A chain of ${CHAIN} features with one lane, against a loop around an agent, with git (ms)`,
  ['bare loop', 'chain', 'ratio', 'at most', ''],
  [[round(bare), round(chain), round(chain / bare, 2), MOST_CHAIN, chain / bare <= MOST_CHAIN ? 'met' : 'MISSED']],
);

const FILES = 10_000;
const ROUNDS = 5;
const MOST_RESET = 0.1;

/** Milliseconds of a local clone and of the reset of a lane's tree that an attempt has changed, in the same repository. */
async function resets(): Promise<{ readonly clone: number; readonly reset: number }> {
  const names = Array.from({ length: FILES }, (_, at) => `src/${at % 100}/file${at}.txt`);
  const world = benchWorld(Object.fromEntries(names.map((name) => [name, `${name}\n`.repeat(40)])), ['git']);
  const { folder } = world;
  const { projectDir } = world.places;
  try {
    const git = createGit({ clock: systemClock(), env: process.env });
    const { signal } = new AbortController();
    const gitDir = join(folder, 'job', 'git');
    const tree: JobTree = { projectDir, workTree: join(folder, 'job', 'work', 'w'), gitDir, branch: 'autonomous/j' };
    const { baseline } = await git.makeClone(tree, { snapshot: false, signal });
    const lane: JobTree = { ...tree, workTree: `${tree.workTree}-2`, ownDir: join(gitDir, 'lanes', '2') };
    const state = { head: baseline, baseline, baseBranch: 'main', snapshot: false, signal };
    await git.remakeClone(lane, state);
    const [clones, times]: [number[], number[]] = [[], []];
    for (let nth = 0; nth < ROUNDS; nth++) {
      const before = performance.now();
      execFileSync('git', ['clone', '--quiet', '--local', projectDir, join(folder, `clone${nth}`)]);
      clones.push(performance.now() - before);
      writeFiles(lane.workTree, { 'src/1/file1.txt': `round ${nth}\n`, [`new${nth}.txt`]: 'new\n' });
      const start = performance.now();
      await git.restore(lane, baseline);
      await git.followHead(lane, { ...state, anew: true });
      times.push(performance.now() - start);
    }
    return { clone: median(clones), reset: median(times) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { clone, reset } = await resets();
show(
  `A tree of ${FILES} files: reset for the next feature, against a local clone (ms)`,
  ['clone', 'reset', 'ratio', 'at most', ''],
  [[round(clone), round(reset), round(reset / clone, 2), MOST_RESET, reset / clone <= MOST_RESET ? 'met' : 'MISSED']],
);
