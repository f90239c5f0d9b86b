/** A job as other programs read it. */
import type { JobRow, JobStatus } from '../../shared/domain.ts';
import type { Spent } from '../../shared/money.ts';
import type { State } from '../../shared/state.ts';
import { jobApprovals, jobFeatures, jobPhases, need } from '../rows.ts';
import { spentBy } from '../spent.ts';
import { type Counts, kanbanStats } from './board.ts';

/** Seed 000's mapping for a caller: a paused job finished normally and can go on later. */
export function jobOutcome(status: JobStatus): 'completed' | 'failed' | 'cancelled' | 'open' {
  if (status === 'completed' || status === 'paused') return 'completed';
  if (status === 'failed' || status === 'cancelled') return status;
  return 'open';
}

export interface JobSummary extends Spent {
  readonly id: string;
  readonly title: string;
  readonly status: JobStatus;
  readonly outcome: ReturnType<typeof jobOutcome>;
  readonly reason: string | null;
  readonly wakeAt: string | null;
  readonly branch: string;
  readonly baseline: string | null;
  readonly turns: number;
  /** Wall time of its sessions, milliseconds. */
  readonly durationMs: number;
  readonly phases: number;
  readonly features: { readonly total: number } & Counts;
  readonly attempts: number;
  /** Pending questions. */
  readonly approvals: readonly number[];
  readonly provider: string;
  readonly merge: JobRow['merge'];
  readonly createdAt: string;
  readonly endedAt: string | null;
}

function durationMs(from: string, to: string | null): number {
  return to === null ? 0 : Math.max(0, Date.parse(to) - Date.parse(from));
}

export function jobSummary(state: State, id: string): JobSummary {
  const job = need(state, 'jobs', id);
  const features = jobFeatures(state, id);
  const sessions = [...state.sessions.values()].filter((row) => row.job_id === id);
  const spends = [...state.spends.values()].filter((row) => row.job_id === id);
  const { byCategory: _, ...counts } = kanbanStats(features);
  return {
    id,
    title: job.title,
    status: job.status,
    outcome: jobOutcome(job.status),
    reason: job.reason,
    wakeAt: job.wake_at,
    branch: job.branch,
    baseline: job.baseline,
    ...spentBy(spends),
    turns: sessions.reduce((sum, row) => sum + row.turns, 0),
    durationMs: sessions.reduce((sum, row) => sum + durationMs(row.started_at, row.ended_at), 0),
    phases: jobPhases(state, id).length,
    features: { total: features.length, ...counts },
    attempts: [...state.attempts.values()].filter((row) => row.job_id === id && row.feature_id !== null).length,
    approvals: jobApprovals(state, id)
      .filter((row) => row.status === 'pending')
      .map((row) => row.id),
    provider: job.options.provider,
    merge: job.merge,
    createdAt: job.created_at,
    endedAt: job.ended_at,
  };
}
