/** A job as other programs read it. */

import type { TakenFailure } from '../../../shared/job/evidence.ts';
import type { JobRow, JobStatus } from '../../../shared/job/rows.ts';
import type { Spent } from '../../../shared/money.ts';
import type { RuleUse } from '../../../shared/rule/ruleViews.ts';
import type { Waiting } from '../../../shared/waiting.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { spentBy } from '../../money/view/spent.ts';
import { ruleUses } from '../../rule/ruleViews.ts';
import { jobApprovals, jobFeatures, jobPhases, need } from '../../state/rows.ts';
import { takenFailure } from '../gate/acceptResult.ts';
import { type Counts, kanbanStats } from './board.ts';
import { jobWaiting } from './waiting.ts';

/** Seed 000's mapping for a caller: a paused job finished normally and can be resumed later. */
export function jobOutcome(status: JobStatus): 'completed' | 'failed' | 'cancelled' | 'open' {
  if (status === 'completed' || status === 'paused') return 'completed';
  if (status === 'failed' || status === 'cancelled') return status;
  return 'open';
}

export interface JobSummary extends Spent {
  readonly id: string;
  readonly projectId: string;
  readonly title: string;
  readonly status: JobStatus;
  readonly outcome: ReturnType<typeof jobOutcome>;
  readonly reason: string | null;
  readonly wakeAt: string | null;
  /** The reason why the job does not continue. Null if it runs or has ended. */
  readonly waiting: Waiting | null;
  readonly branch: string;
  readonly baseline: string | null;
  readonly turns: number;
  /** Time that its ended sessions worked, milliseconds: without the time between a crash, pause or wait and the resumption. */
  readonly durationMs: number;
  readonly phases: number;
  readonly features: { readonly total: number } & Counts;
  readonly attempts: number;
  /** Pending questions. */
  readonly approvals: readonly number[];
  readonly provider: string;
  readonly merge: JobRow['merge'];
  /** Null unless the steward took the result although verify commands fail on it. */
  readonly takenFailure: TakenFailure | null;
  /** Gates that rules approved instead of a person. */
  readonly ruleUses: readonly RuleUse[];
  readonly createdAt: string;
  readonly endedAt: string | null;
}

export function jobSummary(state: State, id: string): JobSummary {
  const job = need(state, 'jobs', id);
  const features = jobFeatures(state, id);
  const sessions = [...state.sessions.values()].filter((row) => row.job_id === id);
  const spends = [...state.spends.values()].filter((row) => row.job_id === id);
  const { byCategory: _, ...counts } = kanbanStats(features);
  return {
    id,
    projectId: job.project_id,
    title: job.title,
    status: job.status,
    outcome: jobOutcome(job.status),
    reason: job.reason,
    wakeAt: job.wake_at,
    waiting: jobWaiting(state, job),
    branch: job.branch,
    baseline: job.baseline,
    ...spentBy(spends),
    turns: sessions.reduce((sum, row) => sum + row.turns, 0),
    durationMs: sessions.reduce((sum, row) => sum + (row.ended_at === null ? 0 : row.worked_ms), 0),
    phases: jobPhases(state, id).length,
    features: { total: features.length, ...counts },
    attempts: [...state.attempts.values()].filter((row) => row.job_id === id && row.feature_id !== null).length,
    approvals: jobApprovals(state, id)
      .filter((row) => row.status === 'pending')
      .map((row) => row.id),
    provider: job.options.provider,
    merge: job.merge,
    takenFailure: takenFailure(state, job),
    ruleUses: ruleUses(state, { jobId: id }),
    createdAt: job.created_at,
    endedAt: job.ended_at,
  };
}
