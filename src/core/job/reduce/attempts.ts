/** Reduces events of sessions and attempts. A failed attempt uses a retry of its feature (`features.ts`). */

import { BUILT_IN } from '../../../shared/agent/executors.ts';
import { failure } from '../../../shared/errors.ts';
import { type AttemptRow, type FeatureRow, MAX_LANES } from '../../../shared/job/rows.ts';
import type { EventOf } from '../../../shared/workspace/events.ts';
import type { Change, State } from '../../../shared/workspace/state.ts';
import { cameToEnd, isSideBySide } from '../../agent/executors.ts';
import { newApproval } from '../../approval/reduceApprovals.ts';
import { completeSideReviews } from '../../state/abandon.ts';
import { endedSession, endSession, resumedSession } from '../../state/endSession.ts';
import { ATTEMPT, type AttemptTrigger, step } from '../../state/machines.ts';
import type { Reducer } from '../../state/reducer.ts';
import { featureAttempts, laneOf, need, needLive, needNew, openAttempts, phaseReviews } from '../../state/rows.ts';
import { rested, woken, working } from '../../state/workTime.ts';
import { needsNoMerge } from '../mergeQueue.ts';
import { outdatedCandidates } from './candidates.ts';
import { moveFeature, useRetry } from './features.ts';

function moveAttempt(attempt: AttemptRow, trigger: AttemptTrigger, patch: Partial<AttemptRow> = {}): AttemptRow {
  return { ...attempt, ...patch, status: step(`attempt ${attempt.id}`, ATTEMPT, attempt.status, trigger) };
}

/** Whether the result is a candidate until one is picked: it has no effect yet, and no retry is used. */
function isCandidate(feature: FeatureRow, event: EventOf<'attempt_ended'>): boolean {
  return isSideBySide(feature) && cameToEnd(event);
}

/** The feature after an attempt's end. */
function featureAfter(state: State, feature: FeatureRow, event: EventOf<'attempt_ended'>): FeatureRow {
  if (isCandidate(feature, event))
    return moveFeature(feature, 'release', { crash_count: 0, candidates: [...feature.candidates, event.id] });
  switch (event.status) {
    case 'succeeded':
      return moveFeature(feature, 'complete', {
        commit: event.commit,
        feedback: null,
        crash_count: 0,
        completed_at: event.at,
      });
    case 'failed':
      return useRetry(state, feature, event.feedback, event.at);
    case 'stuck':
    case 'blocked':
    case 'abandoned':
      return moveFeature(feature, 'release', { crash_count: event.status === 'abandoned' ? feature.crash_count : 0 });
  }
}

/** A worker that waits for the steward must have asked a question. Otherwise its feature would be attempted repeatedly without effect. */
function checkQuestion(state: State, attempt: AttemptRow, event: EventOf<'attempt_ended'>): void {
  const waits = event.status === 'stuck' || event.status === 'blocked';
  if (event.approval === null) {
    if (waits && attempt.feature_id !== null)
      throw failure('ILLEGAL_TRANSITION', `attempt ${attempt.id} is ${event.status} but asks nothing`);
    return;
  }
  needNew(state, 'approvals', event.approval.id);
  needLive(state, attempt.job_id);
}

/** The session's counts, and its end if the conversation has ended. */
function sessionAfter(state: State, attempt: AttemptRow, event: EventOf<'attempt_ended'>): Change[] {
  const session = need(state, 'sessions', attempt.session_id);
  const feature = attempt.feature_id === null ? null : need(state, 'features', attempt.feature_id);
  const done = feature !== null && event.status === 'succeeded' && !isCandidate(feature, event) ? 1 : 0;
  const counted = { ...session, features_completed: session.features_completed + done };
  if (event.session === null) return [{ table: 'sessions', put: { ...counted, attempt_id: null, feature_id: null } }];
  return [endedSession(counted, event.session, event.at)];
}

/** Whether the attempt continues the conversation of an earlier attempt at the same feature. */
function continues(state: State, { feature_id, session_id }: EventOf<'attempt_started'>): boolean {
  return feature_id !== null && featureAttempts(state, feature_id).at(-1)?.session_id === session_id;
}

/** The list that the conversation still shows to its model: of the last attempt, if this one continues its conversation. */
function continuedTodo(last: AttemptRow | undefined, { session_id }: EventOf<'attempt_started'>): AttemptRow['todo'] {
  return last?.session_id === session_id ? last.todo : [];
}

/** Checks whether this attempt may start: its phase and its session must be running. Neither is after the job's end. */
function checkStart(state: State, event: EventOf<'attempt_started'>): void {
  const { id, job_id, phase_id, feature_id, session_id } = event;
  needNew(state, 'attempts', id);
  checkRoom(state, event);
  const session = need(state, 'sessions', session_id);
  if (session.job_id !== job_id || (session.status !== 'running' && !continues(state, event)))
    throw failure('ILLEGAL_TRANSITION', `session ${session_id} is not running in job ${job_id}`);
  const phase = need(state, 'phases', phase_id);
  const due = feature_id === null ? 'reviewing' : 'executing';
  if (phase.job_id !== job_id || phase.status !== due)
    throw failure('ILLEGAL_TRANSITION', `phase ${phase.number} of job ${phase.job_id} is ${phase.status}, not ${due}`);
  if (feature_id !== null && need(state, 'features', feature_id).phase_id !== phase_id)
    throw failure('ILLEGAL_TRANSITION', `feature ${feature_id} is not of phase ${phase.number}`);
}

/** Other attempts may be open only in other lanes, at other features of the same phase. */
function checkRoom(state: State, { job_id, phase_id, feature_id, lane = 0 }: EventOf<'attempt_started'>): void {
  if (!Number.isSafeInteger(lane) || lane < 0 || lane >= MAX_LANES)
    throw failure('ILLEGAL_TRANSITION', `job ${job_id} has no lane ${lane}`);
  const isBeside = (row: AttemptRow): boolean =>
    feature_id !== null && row.feature_id !== null && row.feature_id !== feature_id;
  const blocking = openAttempts(state, job_id).find(
    (row) => laneOf(row) === lane || row.phase_id !== phase_id || !isBeside(row),
  );
  if (blocking !== undefined)
    throw failure('ILLEGAL_TRANSITION', `attempt ${blocking.id} of job ${job_id} is not over`);
}

/** A feature is complete only on top of everything that was merged before it. */
function checkMerge(state: State, attempt: AttemptRow, event: EventOf<'attempt_ended'>): void {
  if (attempt.feature_id === null || event.status !== 'succeeded') return;
  if (isCandidate(need(state, 'features', attempt.feature_id), event)) return;
  // An older version had one lane, and stored no number.
  if (attempt.lane === null || attempt.status === 'queued' || needsNoMerge(state, attempt)) return;
  throw failure('ILLEGAL_TRANSITION', `attempt ${attempt.id} is to be merged first`);
}

/** What a session did that has just begun. */
export const NOTHING_DONE = {
  features_attempted: 0,
  features_completed: 0,
  input_tokens: null,
  output_tokens: null,
  cost_usd: null,
  error_message: null,
  turns: 0,
} as const;

function startedSession(state: State, event: EventOf<'session_started'>): Change[] {
  needNew(state, 'sessions', event.id);
  if (event.job_id !== null) needLive(state, event.job_id);
  const session: Change = {
    table: 'sessions',
    put: {
      id: event.id,
      job_id: event.job_id,
      project_id: event.project_id,
      parent_id: event.parent_id ?? null,
      task_id: event.task_id ?? null,
      step_id: event.step_id ?? null,
      role: event.role,
      model: event.model,
      executor: event.executor ?? BUILT_IN,
      phase_id: event.phase_id,
      feature_id: null,
      attempt_id: null,
      reviews: event.reviews ?? null,
      status: 'running',
      started_at: event.at,
      ended_at: null,
      ...working(event.at),
      ...NOTHING_DONE,
      notes: event.notes,
      epoch: event.epoch,
    },
  };
  const step = event.step_id == null ? undefined : state.task_steps.get(event.step_id);
  // A summary of the results is not an answer of the step itself.
  if (step === undefined || event.role !== 'task') return [session];
  return [session, { table: 'task_steps', put: { ...step, session_id: event.id } }];
}

/** Result fields of an attempt that has not ended. */
export const NO_RESULT = {
  commit: null,
  cause: null,
  summary: null,
  feedback: null,
  verdict: null,
  evidence: [],
  diff: null,
  changed: null,
  kept: null,
} as const satisfies Partial<AttemptRow>;

export const attemptReducers = {
  session_started: (state, event) => startedSession(state, event),
  session_ended: (state, event) => endSession(state, event.session, event.at),
  attempt_started: (state, event) => {
    checkStart(state, event);
    const session = need(state, 'sessions', event.session_id);
    const before =
      event.feature_id === null ? phaseReviews(state, event.phase_id) : featureAttempts(state, event.feature_id);
    const attempt: AttemptRow = {
      id: event.id,
      job_id: event.job_id,
      phase_id: event.phase_id,
      feature_id: event.feature_id,
      number: (before.at(-1)?.number ?? 0) + 1,
      status: 'running',
      session_id: event.session_id,
      epoch: event.epoch,
      base_commit: event.base_commit,
      ...NO_RESULT,
      start: event.start ?? null,
      left: null,
      interruptions: 0,
      lane: event.lane ?? null,
      queued_at: null,
      returns: [],
      todo: continuedTodo(before.at(-1), event),
      route: event.route ?? null,
      started_at: event.at,
      ended_at: null,
      ...working(event.at),
    };
    const changes: Change[] = [
      { table: 'attempts', put: attempt },
      {
        table: 'sessions',
        put: {
          ...resumedSession(session, event.at),
          attempt_id: event.id,
          feature_id: event.feature_id,
          features_attempted: session.features_attempted + (event.feature_id === null ? 0 : 1),
          notes: [...new Set([...session.notes, ...event.notes])],
        },
      },
    ];
    if (event.feature_id === null) {
      const phase = need(state, 'phases', event.phase_id);
      return [...changes, { table: 'phases', put: { ...phase, review_attempt: event.id } }];
    }
    const feature = moveFeature(need(state, 'features', event.feature_id), 'start');
    return [...changes, { table: 'features', put: feature }];
  },
  attempt_interrupted: (state, event) => {
    const attempt = need(state, 'attempts', event.id);
    const crash = event.cause === 'crash' ? 1 : 0;
    const put = moveAttempt(attempt, 'interrupt', { interruptions: attempt.interruptions + crash });
    const changes: Change[] = [
      { table: 'attempts', put: rested(put, event.at) },
      { table: 'sessions', put: rested(need(state, 'sessions', attempt.session_id), event.at) },
    ];
    if (crash === 0 || attempt.feature_id === null) return changes;
    const feature = need(state, 'features', attempt.feature_id);
    return [...changes, { table: 'features', put: { ...feature, crash_count: feature.crash_count + 1 } }];
  },
  attempt_resumed: (state, event) => {
    const attempt = moveAttempt(need(state, 'attempts', event.id), 'resume', { epoch: event.epoch });
    return [
      { table: 'attempts', put: woken(attempt, event.at) },
      { table: 'sessions', put: woken(need(state, 'sessions', attempt.session_id), event.at) },
    ];
  },
  attempt_todo_set: (state, event) => {
    const attempt = need(state, 'attempts', event.id);
    if (attempt.status !== 'running' || attempt.feature_id === null)
      throw failure('ILLEGAL_TRANSITION', `attempt ${attempt.id} is not a worker's that runs`);
    return [{ table: 'attempts', put: { ...attempt, todo: event.items } }];
  },
  attempt_ended: (state, event) => {
    const attempt = need(state, 'attempts', event.id);
    checkQuestion(state, attempt, event);
    checkMerge(state, attempt, event);
    const { cause, summary, feedback, verdict, commit, evidence, diff } = event;
    const put = moveAttempt(attempt, event.status, {
      cause,
      summary,
      feedback,
      verdict,
      commit,
      evidence,
      diff,
      changed: event.changed ?? null,
      kept: event.kept ?? null,
      left: event.left ?? null,
      queued_at: null,
      ended_at: event.at,
    });
    const changes: Change[] = [
      { table: 'attempts', put: rested(put, event.at) },
      ...sessionAfter(state, attempt, event),
    ];
    const job = need(state, 'jobs', attempt.job_id);
    if (attempt.feature_id !== null) {
      const feature = need(state, 'features', attempt.feature_id);
      changes.push({ table: 'features', put: featureAfter(state, feature, event) });
      if (event.status === 'succeeded' && commit !== null && !isCandidate(feature, event)) {
        changes.push({ table: 'jobs', put: { ...job, head: commit } });
        if (commit !== job.head) changes.push(...outdatedCandidates(state, job.id, feature.id, event.at));
      }
      changes.push(...completeSideReviews(state, attempt, event.at));
    }
    if (event.approval !== null)
      changes.push({ table: 'approvals', put: newApproval(state, event.approval, event.at) });
    return changes;
  },
} satisfies {
  session_started: Reducer<'session_started'>;
  session_ended: Reducer<'session_ended'>;
  attempt_started: Reducer<'attempt_started'>;
  attempt_interrupted: Reducer<'attempt_interrupted'>;
  attempt_resumed: Reducer<'attempt_resumed'>;
  attempt_todo_set: Reducer<'attempt_todo_set'>;
  attempt_ended: Reducer<'attempt_ended'>;
};
