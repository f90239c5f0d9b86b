/** Steps that a preview takes by itself, because they ask no model and no person. */
import type { Action } from '../../../core/job/action.ts';
import { ownPlan } from '../../../core/job/plan/backlog.ts';
import { planId } from '../../../core/state/planId.ts';
import { need } from '../../../core/state/rows.ts';
import type { EventDraft } from '../../../shared/workspace/events.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { planIds } from '../actions/acceptPlan.ts';
import { jobHead } from '../tree/tree.ts';

/** The event of an action that asks no model and no person; null for all others. */
export function silentStep(state: State, jobId: string, action: Action): EventDraft | null {
  const job = need(state, 'jobs', jobId);
  switch (action.do) {
    case 'continue':
      return { type: 'job_continued', job_id: jobId };
    case 'wake':
      return { type: 'job_woken', job_id: jobId };
    case 'plan':
      return ownPlan(state, job);
    case 'wait':
      return { type: 'job_woken', job_id: jobId };
    case 'stop':
      return action.why === 'paused' ? { type: 'job_resumed', job_id: jobId, by: 'engine' } : null;
    case 'start_phase':
      return { type: 'phase_started', job_id: jobId, phase_id: action.phase.id, base_commit: jobHead(job) };
    case 'begin_review':
      return { type: 'phase_reviewing', job_id: jobId, phase_id: action.phase.id };
    case 'approve_phase':
      return { type: 'phase_approved', job_id: jobId, phase_id: action.phase.id, by: action.by, reason: action.reason };
    case 'refuse_plan':
      return { type: 'plan_refused', job_id: jobId, feedback: action.feedback, by: 'steward', session: null };
    case 'accept_plan': {
      const { plan } = need(state, 'plans', planId(jobId, action.version));
      const next = { phase: counter(state.phases), feature: counter(state.features) };
      return {
        type: 'plan_accepted',
        job_id: jobId,
        plan_version: action.version,
        ids: planIds(state, job, plan, next),
        by: action.by,
      };
    }
    case 'check_baseline':
      return { type: 'baseline_checked', job_id: jobId, evidence: [], skipped: null };
    default:
      return null;
  }
}

function counter(rows: ReadonlyMap<number, unknown>): () => number {
  let last = Math.max(0, ...rows.keys());
  return () => ++last;
}
