/** Events for tests, and a state made of nothing but events. */
import { reduce } from '../../../src/core/workspace/reduce.ts';
import type { Plan } from '../../../src/shared/job/plan.ts';
import type { JobOptions } from '../../../src/shared/job/rows.ts';
import type { SessionEnd } from '../../../src/shared/session.ts';
import type { Event, EventDraft, EventOf } from '../../../src/shared/workspace/events.ts';
import { applyChanges, emptyState, type State } from '../../../src/shared/workspace/state.ts';
import { JOB_ID, jobOptions, PROJECT_ID, START_MS } from './builders.ts';

export function sessionEnd(id: number, status: SessionEnd['status'] = 'completed'): SessionEnd {
  return { id, status, error_message: null, turns: 1 };
}

export function attemptEnded(
  patch: Partial<EventOf<'attempt_ended'>> & Pick<EventOf<'attempt_ended'>, 'id' | 'status'>,
): EventDraft {
  return {
    type: 'attempt_ended',
    job_id: JOB_ID,
    cause: 'done',
    summary: null,
    feedback: null,
    verdict: null,
    commit: null,
    evidence: [],
    diff: null,
    approval: null,
    session: null,
    ...patch,
  };
}

/** A state under way, and every event that made it. */
export interface Fold {
  readonly state: State;
  readonly events: Event[];
  /** One second passes with each event. Throws what the reducer throws. */
  commit(...drafts: readonly EventDraft[]): void;
}

export function startFold(): Fold {
  const state = emptyState();
  const events: Event[] = [];
  return {
    state,
    events,
    commit(...drafts) {
      for (const draft of drafts) {
        const seq = events.length + 1;
        const event: Event = { ...draft, seq, epoch: 1, at: new Date(START_MS + seq * 1000).toISOString() };
        applyChanges(state, reduce(state, event));
        events.push(event);
      }
    },
  };
}

export function briefSubmitted(options: Partial<JobOptions> = {}): EventDraft {
  return {
    type: 'brief_submitted',
    job: {
      id: JOB_ID,
      project_id: PROJECT_ID,
      title: 'A stack',
      brief: 'Write a stack.',
      options: jobOptions(options),
      job_dir: '/jobs/1',
      branch: 'autonomous/job-1',
    },
  };
}

/** Ids as `planAccepted` gives them: phases from 1, features from 1, in the plan's order. */
export function planAccepted(plan: Plan, version = 1): EventDraft {
  let feature = 0;
  const phases = plan.phases.map((phase, index) => ({
    id: phase.id ?? index + 1,
    features: phase.features.map((row) => {
      feature++;
      return row.id ?? feature;
    }),
  }));
  return { type: 'plan_accepted', job_id: JOB_ID, plan_version: version, ids: { phases }, by: 'steward' };
}

/** A job that was filed, in its project. */
export function submittedJob(options: Partial<JobOptions> = {}): Fold {
  const fold = startFold();
  fold.commit(
    { type: 'project_created', project: { id: PROJECT_ID, model: null, workdir: null } },
    briefSubmitted(options),
  );
  return fold;
}

/** A job whose plan was accepted; nothing was begun. */
export function acceptedJob(plan: Plan, options: Partial<JobOptions> = {}): Fold {
  const fold = submittedJob(options);
  fold.commit(
    {
      type: 'clone_made',
      job_id: JOB_ID,
      clone_dir: '/jobs/1/clone',
      baseline: 'base',
      base_branch: 'main',
      snapshot: false,
      head: 'base',
    },
    { type: 'setup_finished', job_id: JOB_ID, evidence: [], head: 'base' },
    { type: 'plan_proposed', job_id: JOB_ID, plan_version: 1, plan, by: 'planner', session: null },
    planAccepted(plan),
  );
  return fold;
}

/** A worker's or reviewer's session and its attempt, under way, with the same id. */
export function attemptBegun(id: number, featureId: number | null, phaseId = 1): readonly EventDraft[] {
  const role = featureId === null ? 'reviewer' : 'worker';
  const session = {
    id,
    job_id: JOB_ID,
    project_id: PROJECT_ID,
    role,
    model: 'm',
    phase_id: phaseId,
    notes: [],
  } as const;
  const about = { job_id: JOB_ID, phase_id: phaseId, feature_id: featureId, base_commit: 'base', notes: [] };
  return [
    { type: 'session_started', ...session },
    { type: 'attempt_started', id, session_id: id, ...about },
  ];
}

export function callReserved(id: number, micro_usd: number): EventDraft {
  const call = { provider: 'simulated', model: 'm', day: '2026-11-02', price_version: '1' } as const;
  return { type: 'call_reserved', id, session_id: 1, micro_usd, ...call };
}

export function phaseStarted(phaseId = 1): EventDraft {
  return { type: 'phase_started', job_id: JOB_ID, phase_id: phaseId, base_commit: 'base' };
}

export function approvalDecided(
  id: number,
  decision: 'approved' | 'rejected',
  feedback: string | null = null,
): EventDraft {
  return { type: 'approval_decided', id, decision, choice: null, feedback, by: 'steward' };
}
