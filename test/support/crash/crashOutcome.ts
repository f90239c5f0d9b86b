/** What must be the same however often the owner was killed, and what the money must come to. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { need } from '../../../src/core/state/rows.ts';
import type { JobRow } from '../../../src/shared/job/rows.ts';
import type { SpendRow, Usage } from '../../../src/shared/money.ts';
import type { State } from '../../../src/shared/workspace/state.ts';
import type { CrashWorld } from './crashWorld.ts';

/** Trees and messages of the commits that the job made, oldest first; ids of jobs taken out. */
function commitsOf(world: CrashWorld, job: JobRow): string[] {
  const range = `${job.baseline}..HEAD`;
  const log = world.git('log', '--reverse', '--first-parent', '-m', '--format=%T %P%n%B%x00', range);
  const branch = world.git('log', '--reverse', '--format=%T%n%B%x00', '--no-merges', range);
  const parents = log
    .split('\0')
    .map((text) => text.replaceAll(/[0-9a-f]{40}/g, (id) => (id === job.baseline ? 'base' : '')));
  return [...parents, ...branch.split('\0')].map((text) => text.replaceAll(job.id, 'JOB').trim());
}

/** Whatever a person sees of the job in the end, without ids, times and what only crashes leave. */
export function outcomeOf(world: CrashWorld, state: State): object {
  const [job] = state.jobs.values();
  if (job === undefined) throw new Error('no job');
  const attempts = [...state.attempts.values()].map((row) => ({
    feature: row.feature_id === null ? null : need(state, 'features', row.feature_id).name,
    number: row.number,
    status: row.status,
    cause: row.cause,
    summary: row.summary,
    feedback: row.feedback?.replaceAll(dirname(world.places.projectDir), '') ?? null,
    verdict: row.verdict?.verdict ?? null,
    evidence: row.evidence.map(({ command, exitCode, ended }) => [command, exitCode, ended]),
  }));
  return {
    jobs: state.jobs.size,
    job: [job.status, job.title, job.planner_tries, job.merge?.mode],
    tree: world.git('rev-parse', 'HEAD^{tree}').trim(),
    commits: commitsOf(world, job),
    branch: world.git('symbolic-ref', 'HEAD').trim(),
    status: world.git('status', '--porcelain', '--ignored').replaceAll(/^!! \.autonomous\/\n/gm, ''),
    mine: readFileSync(join(world.places.projectDir, 'mine.log'), 'utf8'),
    phases: [...state.phases.values()].map((row) => [row.number, row.title, row.status, row.attempt, row.summary]),
    features: [...state.features.values()].map((row) => [row.name, row.status, row.retry_count, row.feedback]),
    attempts,
    notes: [...state.notes.values()].map((row) => [row.feature_id, row.category, row.content]),
    approvals: [...state.approvals.values()].map((row) => [row.kind, row.status, row.feedback, row.decided_by]),
  };
}

/** Rows that claim that something is under way. Empty when the job is over. */
export function underWay(world: CrashWorld, state: State): string[] {
  const open = (table: string, rows: Iterable<{ readonly id: number; readonly status: string }>, statuses: string[]) =>
    [...rows].filter((row) => statuses.includes(row.status)).map((row) => `${table} ${row.id} is ${row.status}`);
  const socket = existsSync(world.places.runtimeDir)
    ? execFileSync('ls', [world.places.runtimeDir], { encoding: 'utf8' })
        .split('\n')
        .filter((name) => name.endsWith('.sock'))
    : [];
  return [
    ...open('attempt', state.attempts.values(), ['running', 'interrupted']),
    ...open('session', state.sessions.values(), ['running']),
    ...open('feature', state.features.values(), ['in_progress', 'pending']),
    ...open('phase', state.phases.values(), ['executing', 'reviewing']),
    ...open('approval', state.approvals.values(), ['pending']),
    ...open('spend', state.spends.values(), ['reserved']),
    ...socket,
  ];
}

function priced(model: string, micro: number, { input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): string {
  return [model, micro, input, output, cacheRead, cacheWrite5m, cacheWrite1h].join(' ');
}

function settledAs(row: SpendRow): string {
  return priced(row.model, row.settled_micro_usd, {
    input: row.input_tokens,
    output: row.output_tokens,
    cacheRead: row.cache_read_tokens,
    cacheWrite5m: row.cache_write_5m_tokens,
    cacheWrite1h: row.cache_write_1h_tokens,
  });
}

export interface Money {
  /** Settled calls that the server did not answer at that price. */
  readonly invented: readonly string[];
  /** Calls that the server billed and that nothing in the ledger stands for, not even an unsettled one. */
  readonly lost: number;
  readonly unsettled: number;
  readonly requests: number;
}

export function moneyOf(world: CrashWorld, state: State): Money {
  const billed = world.server.bill.map(({ model, usage, microUsd }) => priced(model, microUsd, usage));
  const spends = [...state.spends.values()];
  const invented: string[] = [];
  for (const row of spends.filter(({ status }) => status === 'settled')) {
    const at = billed.indexOf(settledAs(row));
    if (at < 0) invented.push(settledAs(row));
    else billed.splice(at, 1);
  }
  const unsettled = spends.filter(({ status }) => status === 'unsettled').length;
  return { invented, lost: Math.max(0, billed.length - unsettled), unsettled, requests: world.server.requests.length };
}
