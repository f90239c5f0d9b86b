/**
 * Own time of a session per tool round: a worker of 200 writing rounds and a model that answers at once. Every round is journaled and
 * checkpointed as in a job: real transcript, git and kept work, on the disk of the temp folder.
 */
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/adapters/clock.ts';
import { nodeFiles } from '../src/adapters/files/files.ts';
import { keptAttempts } from '../src/adapters/files/keptWork.ts';
import { openTranscript } from '../src/adapters/files/transcripts.ts';
import { createGit } from '../src/adapters/git/gitPort.ts';
import { lineSeal } from '../src/adapters/log/seal.ts';
import { openTree } from '../src/adapters/tree/treeFiles.ts';
import type { JobContext } from '../src/engine/job/context.ts';
import { checkpointing, watchedFiles } from '../src/engine/job/tree/checkpoints.ts';
import type { SessionPorts } from '../src/engine/session/ports.ts';
import { openSession } from '../src/engine/session/session.ts';
import { startRepository } from '../test/support/git/gitFixture.ts';
import { streamOf } from '../test/support/provider/scriptedModel.ts';
import { workerSpec } from '../test/support/session/sessionBench.ts';
import { attemptRow, featureRow, jobRow, stateOf } from '../test/support/state/builders.ts';
import { median, round, show } from './table.ts';

const ROUNDS = 200;
const LIMIT_MS = 10;
const FILES = 500;
const SOURCE = 'export const value = 1;\n'.repeat(40);

interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

type Round = (nth: number) => Call;

/** Sessions of one kind of round; what a command writes is written here, so that no sandbox is measured. */
const KINDS: Readonly<Record<string, Round>> = {
  'write and edit': (nth) =>
    nth % 2 === 0
      ? { name: 'write', input: { file_path: `src/new/part-${nth}.ts`, content: `${SOURCE}// ${nth}\n` } }
      : {
          name: 'edit',
          input: {
            file_path: `src/new/part-${nth - 1}.ts`,
            old_string: `// ${nth - 1}`,
            new_string: `// edited ${nth}`,
          },
        },
  'edit known files': (nth) => ({
    name: 'edit',
    input: {
      file_path: `src/part-${nth % 10}/file-${nth % FILES}.ts`,
      old_string: `${SOURCE}`,
      new_string: `${SOURCE}// edited\n`,
    },
  }),
  'commands that write': (nth) => ({ name: 'bash', input: { command: `append ${nth}` } }),
  'read only': (nth) => ({ name: 'read', input: { file_path: `src/part-0/file-${(nth % 10) * 10}.ts` } }),
};

/** The answer of a model as a stream of events, in one piece. */
function answer(nth: number, call: Call): Response {
  const text = streamOf({ content: [{ type: 'tool_use', id: `toolu_${nth}`, ...call }] }, nth);
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}

async function measured(kind: string, roundOf: Round) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'autonomous-bench-')));
  try {
    const repo = join(folder, 'repo');
    mkdirSync(repo);
    const files = Object.fromEntries(
      Array.from({ length: FILES }, (_, nth) => [`src/part-${nth % 10}/file-${nth}.ts`, SOURCE] as const),
    );
    startRepository(repo, files);
    const clock = systemClock();
    const git = createGit({ clock, env: process.env });
    const tree = {
      projectDir: repo,
      workTree: join(folder, 'job', 'work', 'w1'),
      gitDir: join(folder, 'job', 'git'),
      branch: 'autonomous/job-1',
    };
    const signal = new AbortController().signal;
    const { baseline } = await git.makeClone(tree, { snapshot: false, signal });
    const job = jobRow({
      job_dir: join(folder, 'job'),
      clone_dir: tree.workTree,
      branch: tree.branch,
      baseline,
      head: baseline,
    });
    const feature = featureRow({ id: 5, status: 'in_progress' });
    const attempt = attemptRow({ id: 1, feature_id: 5, status: 'running', base_commit: baseline });
    const context = {
      jobId: job.id,
      projectDir: repo,
      git,
      clock,
      signal,
      kept: keptAttempts(join(folder, 'state'), nodeFiles),
      store: { state: stateOf({ jobs: [job], features: [feature], attempts: [attempt] }) },
      memory: { lastCheckpoint: null, touched: null, kept: null, shells: new Set() },
    } as unknown as JobContext;
    const seal = lineSeal(new Uint8Array(32), 'transcript');
    const transcript = await openTranscript({
      stateDir: join(folder, 'state'),
      sessionId: 1,
      epoch: 1,
      ops: nodeFiles,
      seal,
    });
    const times: number[] = [];
    let asked = 0;
    let last = performance.now();
    const ports: SessionPorts = {
      sessionId: 1,
      fetch: async () => {
        const now = performance.now();
        if (asked > 0) times.push(now - last);
        last = now;
        return answer(asked, roundOf(asked++));
      },
      workdir: tree.workTree,
      files: watchedFiles(context, 1, openTree(tree.workTree)),
      transcript,
      commands: {
        run: async (command) => {
          context.memory.touched = null;
          appendFileSync(join(tree.workTree, 'log.txt'), `${command}\n`);
          return { exitCode: 0, ended: null, output: 'ok' };
        },
      },
      sessionTools: {} as SessionPorts['sessionTools'],
      limits: { turns: ROUNDS + 1, tokens: 1e9, seconds: 3_600, microUsd: 1e9 },
      clock,
      ...checkpointing(context, 'worker', null, true),
      live: () => undefined,
      signal,
    };
    const before = process.cpuUsage();
    const result = await openSession(workerSpec(), ports).run();
    const { user, system } = process.cpuUsage(before);
    if (result.turns !== ROUNDS + 1) throw new Error(`the session ended early: ${JSON.stringify(result)}`);
    await transcript.close();
    const sum = times.reduce((all, ms) => all + ms, 0);
    const mean = sum / times.length;
    const sorted = times.toSorted((a, b) => a - b);
    const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
    const limit = kind === 'commands that write' ? '' : `<= ${LIMIT_MS}`;
    const verdict = limit === '' ? '' : mean <= LIMIT_MS ? 'met' : 'MISSED';
    return [
      kind,
      round(mean),
      round(median(times)),
      round(p95),
      round((user + system) / 1000 / times.length),
      limit,
      verdict,
    ] as const;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const rows: Awaited<ReturnType<typeof measured>>[] = [];
for (const [kind, roundOf] of Object.entries(KINDS)) rows.push(await measured(kind, roundOf));
show(
  `A session of ${ROUNDS} tool rounds with a model that answers at once, per round`,
  ['rounds', 'mean ms', 'median ms', 'p95 ms', 'own cpu ms', 'limit', ''],
  rows,
);
