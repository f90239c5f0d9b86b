/**
 * Builds the files of seed 001 from the state, for other programs: `jobs_index.json` of a workspace and `job_manifest.json` of a job. The engine
 * never reads them: the events are the truth.
 */

import type { ApprovalRow } from '../../shared/approval.ts';
import type { Evidence } from '../../shared/job/evidence.ts';
import type { AttemptRow, JobRow } from '../../shared/job/rows.ts';
import type { Role, SessionRow } from '../../shared/session.ts';
import type { State } from '../../shared/workspace/state.ts';
import { executorOf } from '../agent/executors.ts';
import { isAtWork } from '../job/view/jobStatus.ts';
import { spentBy } from '../money/view/spent.ts';
import { jobApprovals, jobPhases, need } from '../state/rows.ts';

export interface JobsIndex {
  readonly current_job_id: string | null;
  /** Job id → absolute path of its folder. */
  readonly jobs: Readonly<Record<string, string>>;
}

export interface AgentRun {
  readonly kind: 'agent_run';
  readonly agent: 'worker' | 'supervisor' | Exclude<Role, 'worker' | 'reviewer'>;
  /** The executor: `builtin`, or an agent that the user installed. */
  readonly executor: string;
  readonly session_id: number;
  readonly phase_id: number | null;
  readonly feature_id: number | null;
  readonly attempt: number | null;
  /** `COMPLETED STUCK RETRY FAILED RUNNING INTERRUPTED ABANDONED` */
  readonly result: string;
  readonly summary: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
}

export interface StewardIntervention {
  readonly kind: 'steward_intervention';
  readonly approval_id: number;
  readonly about: ApprovalRow['kind'];
  readonly decision: ApprovalRow['status'];
  readonly choice: string | null;
  readonly feedback: string | null;
  readonly by: ApprovalRow['decided_by'];
  readonly started_at: string;
  readonly ended_at: string | null;
}

/** The evidence of a run. The artifact of that name has the end of its output. */
export type ManifestEvidence = Omit<Evidence, 'tail'>;

export interface JobManifest {
  readonly job_id: string;
  readonly status: string;
  readonly phase: { readonly number: number; readonly title: string; readonly status: string } | null;
  readonly history: readonly (AgentRun | StewardIntervention)[];
  /** The newest ones, oldest first. */
  readonly evidence: readonly ManifestEvidence[];
  /** Number of older ones that are left out. */
  readonly evidence_omitted: number;
  readonly metrics: {
    /** Settled. */
    readonly cumulative_cost_usd: number;
    /** Held beside it, at most: for calls in flight, and for those that were perhaps billed. */
    readonly reserved_cost_usd: number;
    readonly unsettled_cost_usd: number;
    readonly cumulative_time_seconds: number;
  };
  readonly git: { readonly baseline_hash: string | null; readonly job_branch: string; readonly head: string | null };
  readonly acceptance_criteria_from_prompt: string;
  readonly is_goal_achieved: boolean;
  readonly final_stop_reason: string | null;
}

/** The file is written again at each change: it grows with the job's length, not with its output. */
const MAX_EVIDENCE = 100;
const MAX_SUMMARY = 500;

/** Seed 001's word for a job's status. */
export function manifestStatus(state: State, job: JobRow): string {
  if (job.status === 'planning') return 'PENDING';
  const stuck = jobApprovals(state, job.id).some((row) => row.status === 'pending' && row.kind === 'stuck');
  return job.status === 'awaiting_steward' && stuck ? 'STUCK' : job.status.toUpperCase();
}

/** The current job is the one that verbs without an id use: the selected one, else the newest. */
export function jobsIndex(state: State): JobsIndex {
  const jobs = [...state.jobs.values()];
  const selected = state.meta.current_job;
  const current = selected !== null && state.jobs.has(selected) ? selected : (jobs.at(-1)?.id ?? null);
  return { current_job_id: current, jobs: Object.fromEntries(jobs.map((row) => [row.id, row.job_dir])) };
}

function attemptResult(row: AttemptRow): string {
  if (row.verdict !== null && row.status !== 'running') {
    return { APPROVED: 'COMPLETED', REJECTED: 'RETRY', ESCALATE: 'STUCK' }[row.verdict.verdict];
  }
  if (row.status === 'succeeded') return 'COMPLETED';
  return row.status === 'blocked' ? 'STUCK' : row.status.toUpperCase();
}

function short(text: string | null): string | null {
  return text === null || text.length <= MAX_SUMMARY ? text : `${text.slice(0, MAX_SUMMARY - 1)}…`;
}

function withoutTail({ tail: _tail, ...evidence }: Evidence): ManifestEvidence {
  return evidence;
}

function attemptRun(state: State, row: AttemptRow): AgentRun {
  return {
    kind: 'agent_run',
    agent: row.feature_id === null ? 'supervisor' : 'worker',
    executor: executorOf(state, row),
    session_id: row.session_id,
    phase_id: row.phase_id,
    feature_id: row.feature_id,
    attempt: row.number,
    result: attemptResult(row),
    summary: short(row.summary),
    started_at: row.started_at,
    ended_at: row.ended_at,
  };
}

/** A session that is not an attempt: planner, summarizer, a reviewer of one feature. */
function sessionRun(row: SessionRow): AgentRun {
  return {
    kind: 'agent_run',
    agent: row.role === 'reviewer' ? 'supervisor' : row.role,
    executor: row.executor,
    session_id: row.id,
    phase_id: row.phase_id,
    feature_id: row.feature_id,
    attempt: null,
    result: row.status.toUpperCase(),
    summary: short(row.error_message),
    started_at: row.started_at,
    ended_at: row.ended_at,
  };
}

function intervention(row: ApprovalRow): StewardIntervention {
  const { id: approval_id, kind: about, status: decision, choice, feedback, decided_by: by } = row;
  const times = { started_at: row.requested_at, ended_at: row.decided_at };
  return { kind: 'steward_intervention', approval_id, about, decision, choice, feedback, by, ...times };
}

function seconds(row: SessionRow): number {
  return row.ended_at === null ? 0 : row.worked_ms / 1000;
}

function stopReason(job: JobRow): string | null {
  if (isAtWork(job)) return null;
  return job.reason ?? (job.status === 'completed' ? 'goal achieved' : job.status);
}

/** Throws NOT_FOUND for an unknown job. */
export function jobManifest(state: State, jobId: string): JobManifest {
  const job = need(state, 'jobs', jobId);
  const attempts = [...state.attempts.values()].filter((row) => row.job_id === jobId).sort((a, b) => a.id - b.id);
  const sessions = [...state.sessions.values()].filter((row) => row.job_id === jobId);
  const told = new Set(attempts.map((row) => row.session_id));
  const history = [
    ...attempts.map((row) => attemptRun(state, row)),
    ...sessions.filter((row) => !told.has(row.id)).map(sessionRun),
    // A rule's approval is not a person's.
    ...jobApprovals(state, jobId)
      .filter(({ decided_by }) => decided_by !== 'rule')
      .map(intervention),
  ].sort((a, b) => a.started_at.localeCompare(b.started_at));
  const evidence = attempts.flatMap((row) => row.evidence);
  const phase = jobPhases(state, jobId).findLast((row) => row.status !== 'pending');
  const spent = spentBy([...state.spends.values()].filter((row) => row.job_id === jobId));
  return {
    job_id: job.id,
    status: manifestStatus(state, job),
    phase: phase ? { number: phase.number, title: phase.title, status: phase.status } : null,
    history,
    evidence: evidence.slice(-MAX_EVIDENCE).map(withoutTail),
    evidence_omitted: Math.max(0, evidence.length - MAX_EVIDENCE),
    metrics: {
      cumulative_cost_usd: spent.costUsd,
      reserved_cost_usd: spent.reservedUsd,
      unsettled_cost_usd: spent.unsettledUsd,
      cumulative_time_seconds: sessions.reduce((sum, row) => sum + seconds(row), 0),
    },
    git: { baseline_hash: job.baseline, job_branch: job.branch, head: job.head },
    acceptance_criteria_from_prompt: job.brief,
    is_goal_achieved: job.status === 'completed',
    final_stop_reason: stopReason(job),
  };
}

export interface ManifestFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

const file = (path: string, value: object): ManifestFile => ({ path, text: `${JSON.stringify(value, null, 2)}\n` });

/** Files to write after a change of this job. An imported job has no folder here. */
export function jobFiles(state: State, jobId: string): readonly ManifestFile[] {
  const { job_dir } = need(state, 'jobs', jobId);
  return job_dir === '' ? [] : [file(`${job_dir}/job_manifest.json`, jobManifest(state, jobId))];
}

export const INDEX_FILE = 'jobs_index.json';

/**
 * Folder of the workspace's one index: that of its first job, whatever `--jobs-dir` later commands have. Null if no job has a folder on this machine.
 */
export function indexFolder(state: Pick<State, 'jobs'>): string | null {
  let first: JobRow | null = null;
  for (const row of state.jobs.values()) {
    if (row.job_dir !== '' && (first === null || row.created_at < first.created_at)) first = row;
  }
  return first === null ? null : first.job_dir.replace(/[\\/][^\\/]*$/, '');
}

/** Files to write after a change of any job, and when another job is selected. Empty if no job has a folder on this machine. */
export function indexFiles(state: State): readonly ManifestFile[] {
  const folder = indexFolder(state);
  return folder === null ? [] : [file(`${folder}/${INDEX_FILE}`, jobsIndex(state))];
}
