/** Features that are set by hand. Open questions and running reviews about them are settled, and their phases are repeated if necessary. */

import type { ApprovalRow } from '../../../shared/approval.ts';
import { failure } from '../../../shared/errors.ts';
import type { FeatureRow } from '../../../shared/job/rows.ts';
import type { EventOf } from '../../../shared/workspace/events.ts';
import type { Change, State } from '../../../shared/workspace/state.ts';
import { allTried } from '../../agent/executors.ts';
import { isGate } from '../../approval/reduceApprovals.ts';
import { abandonInterrupted } from '../../state/abandon.ts';
import { FEATURE, isFinal, JOB } from '../../state/machines.ts';
import type { Reducer } from '../../state/reducer.ts';
import { jobFeatures, jobPhases, need, needLive } from '../../state/rows.ts';
import { toBacklog } from '../plan/backlog.ts';
import { voidQuestions } from './answers.ts';
import { chosenAgain, notesOfOthers, outdatedCandidates } from './candidates.ts';
import { moveFeature, useRetry } from './features.ts';
import { abandonReviews, reopenedPhases } from './reopen.ts';

/** A feature that is worked on is the loop's alone. */
function free(state: State, id: number): FeatureRow {
  const feature = need(state, 'features', id);
  for (const attempt of state.attempts.values()) {
    if (attempt.feature_id === id && attempt.status === 'running') {
      throw failure('ILLEGAL_TRANSITION', `feature ${id} is being worked on`, {
        hint: 'Pause or cancel the job first.',
      });
    }
  }
  return feature;
}

/** The changed feature, and the effects on its job. A feature without a job, an imported one, has no further effects. */
function byHand(state: State, feature: FeatureRow, at: string): Change[] {
  if (feature.job_id === null) return [{ table: 'features', put: feature }];
  if (feature.status === 'in_progress') {
    throw failure('ILLEGAL_TRANSITION', `feature ${feature.id} cannot be put in progress by hand`, {
      hint: 'Set it to pending: it is picked when its turn comes.',
    });
  }
  const isOver = isFinal(JOB, need(state, 'jobs', feature.job_id).status);
  if (isOver && feature.status === 'pending' && feature.created_by === 'import') {
    return [{ table: 'features', put: toBacklog(feature) }];
  }
  if (feature.status === 'pending') needLive(state, feature.job_id);
  const features = jobFeatures(state, feature.job_id).map((row) => (row.id === feature.id ? feature : row));
  const again = reopenedPhases(jobPhases(state, feature.job_id), features);
  const about = (row: { feature_id: number | null }): boolean => row.feature_id === feature.id;
  const moot = (row: ApprovalRow): boolean => about(row) || (again.length > 0 && isGate(row));
  return [
    { table: 'features', put: feature },
    ...again.map((put): Change => ({ table: 'phases', put })),
    ...abandonInterrupted(state, about, 'set by hand', at),
    ...abandonReviews(state, again, at),
    ...voidQuestions(state, feature.job_id, moot, 'the feature was set by hand', at),
  ];
}

const TRIGGER = { pending: 'reopen', in_progress: 'start', completed: 'complete', failed: 'fail' } as const;

function afterSet(feature: FeatureRow, event: EventOf<'feature_set'>): FeatureRow {
  const { status, by, reason, at } = event;
  const release = status === 'pending' && FEATURE[feature.status].reopen === undefined;
  const over = status === 'completed' || status === 'failed';
  // The engine only restores what it lost; a change by hand resets the counts.
  const fresh = by === 'engine' ? {} : { retry_count: status === 'pending' ? 0 : feature.retry_count, crash_count: 0 };
  return moveFeature(feature, release ? 'release' : TRIGGER[status], {
    ...fresh,
    candidates: [],
    commit: status === 'completed' ? feature.commit : null,
    failure_reason: status === 'failed' ? (reason ?? 'set by the steward') : null,
    completed_at: over ? at : null,
  });
}

export const handReducers = {
  feature_set: (state, event) => byHand(state, afterSet(free(state, event.id), event), event.at),
  feature_retried: (state, event) => {
    const feature = useRetry(state, free(state, event.id), event.feedback, event.at);
    return byHand(state, feature, event.at);
  },
  feature_executors_chosen: (state, event) => {
    const feature = free(state, event.id);
    const isOver = feature.status === 'completed' || feature.status === 'failed';
    if (isOver || feature.job_id === null) {
      throw failure('ILLEGAL_TRANSITION', `feature ${event.id} is ${feature.status}: no agent will work on it`, {
        hint: 'Set it to pending first.',
      });
    }
    // An interrupted attempt is restarted by the chosen agents.
    const waiting = feature.status === 'in_progress' ? moveFeature(feature, 'release') : feature;
    return byHand(state, { ...waiting, ...chosenAgain(state, feature, event.executors) }, event.at);
  },
  candidate_picked: (state, event) => {
    const feature = free(state, event.id);
    if (feature.status !== 'pending' || feature.job_id === null || !allTried(feature))
      throw failure('ILLEGAL_TRANSITION', `feature ${event.id} has no candidate results to pick from`);
    const job = needLive(state, feature.job_id);
    const { attempt_id, commit, at } = event;
    if (attempt_id === null || commit === null) {
      return [{ table: 'features', put: useRetry(state, feature, event.feedback, at) }];
    }
    if (!feature.candidates.includes(attempt_id) || state.attempts.get(attempt_id)?.status !== 'succeeded')
      throw failure('ILLEGAL_TRANSITION', `attempt ${attempt_id} of feature ${event.id} cannot be picked`);
    const done = { commit, candidates: [], feedback: null, completed_at: at };
    return [
      { table: 'features', put: moveFeature(feature, 'complete', done) },
      { table: 'jobs', put: { ...job, head: commit } },
      ...notesOfOthers(state, feature, attempt_id),
      ...(commit === job.head ? [] : outdatedCandidates(state, job.id, feature.id, at)),
    ];
  },
} satisfies {
  feature_set: Reducer<'feature_set'>;
  feature_retried: Reducer<'feature_retried'>;
  feature_executors_chosen: Reducer<'feature_executors_chosen'>;
  candidate_picked: Reducer<'candidate_picked'>;
};
