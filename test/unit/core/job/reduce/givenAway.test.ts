/** An agent cannot work: its part of the job is another's, and what it left unfinished is begun anew. */
import { describe, expect, it } from 'vitest';
import { nextAction } from '../../../../../src/core/job/nextAction.ts';
import { need } from '../../../../../src/core/state/rows.ts';
import { BUILT_IN } from '../../../../../src/shared/agent/executors.ts';
import type { EventDraft } from '../../../../../src/shared/workspace/events.ts';
import { JOB_ID, PROJECT_ID, planOf, START_MS } from '../../../../support/state/builders.ts';
import {
  acceptedJob,
  attemptEnded,
  type Fold,
  phaseStarted,
  sessionEnd,
  submittedJob,
} from '../../../../support/state/fold.ts';

const job_id = JOB_ID;
const by = 'steward';
const GONE = 'gone';
const session = (id: number, role: 'planner' | 'worker' | 'reviewer', phase_id: number | null): EventDraft => ({
  type: 'session_started',
  ...{ id, job_id, project_id: PROJECT_ID, role, model: 'm', executor: GONE, phase_id, notes: [] },
});
const attempt = (id: number, feature_id: number | null): EventDraft => ({
  type: 'attempt_started',
  ...{ id, session_id: id, job_id, phase_id: 1, feature_id, base_commit: 'base', notes: [] },
});
const interrupted = (id: number): EventDraft => ({ type: 'attempt_interrupted', id, job_id, cause: 'unavailable' });
const parked: EventDraft = { type: 'job_awaiting', job_id, reason: 'gone is not installed' };
const toBuiltIn: EventDraft = {
  type: 'job_options_changed',
  ...{ job_id, executors: { planner: BUILT_IN, worker: BUILT_IN, reviewer: BUILT_IN }, by },
};
const next = (fold: Fold) => nextAction(fold.state, JOB_ID, START_MS);

function interruptedWorker(): Fold {
  const fold = acceptedJob(planOf({ Core: ['A'] }));
  fold.commit(phaseStarted(), session(1, 'worker', 1), attempt(1, 1), interrupted(1), parked);
  return fold;
}

describe('the rest of a job is given to another agent', () => {
  it('takes a feature from the worker that cannot work, at no cost of a retry', () => {
    const fold = interruptedWorker();
    fold.commit(toBuiltIn);
    expect(need(fold.state, 'features', 1)).toMatchObject({ status: 'pending', retry_count: 0 });
    expect(need(fold.state, 'attempts', 1).status).toBe('abandoned');
    expect(need(fold.state, 'sessions', 1).status).toBe('failed');
    expect(next(fold)).toMatchObject({ do: 'continue' });
  });

  it('leaves what the same agent goes on with, and what is under way', () => {
    const fold = interruptedWorker();
    fold.commit({ type: 'job_options_changed', job_id, executors: { worker: GONE, reviewer: BUILT_IN }, by });
    expect(need(fold.state, 'attempts', 1).status).toBe('interrupted');
    const running = acceptedJob(planOf({ Core: ['A'] }));
    running.commit(phaseStarted(), session(1, 'worker', 1), attempt(1, 1), toBuiltIn);
    expect(need(running.state, 'attempts', 1).status).toBe('running');
  });

  it('begins a review anew, and a plan', () => {
    const fold = acceptedJob(planOf({ Core: ['A'] }));
    fold.commit(phaseStarted(), session(1, 'worker', 1), attempt(1, 1));
    fold.commit(attemptEnded({ id: 1, status: 'succeeded', commit: 'c1', session: sessionEnd(1) }));
    fold.commit({ type: 'phase_reviewing', job_id, phase_id: 1 });
    fold.commit(session(2, 'reviewer', 1), attempt(2, null), interrupted(2), parked, toBuiltIn);
    expect(need(fold.state, 'attempts', 2).status).toBe('abandoned');
    fold.commit({ type: 'job_continued', job_id });
    expect(next(fold)).toMatchObject({ do: 'review' });

    const planning = submittedJob();
    planning.commit();
    planning.commit(session(1, 'planner', null), parked, toBuiltIn);
    expect(need(planning.state, 'sessions', 1).status).toBe('failed');
  });

  it('and so for one feature alone', () => {
    const fold = interruptedWorker();
    fold.commit({ type: 'feature_executors_chosen', id: 1, executors: [BUILT_IN], by });
    expect(need(fold.state, 'features', 1)).toMatchObject({ status: 'pending', executors: [BUILT_IN] });
    expect(need(fold.state, 'attempts', 1).status).toBe('abandoned');
  });
});
