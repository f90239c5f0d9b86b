/** Events of a phase: started, summarized, reviewed. */

import { failure } from '../../../shared/errors.ts';
import type { FeatureRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { Change, State } from '../../../shared/workspace/state.ts';
import { endSession } from '../../state/endSession.ts';
import { PHASE, type PhaseTrigger, step } from '../../state/machines.ts';
import type { Reducer } from '../../state/reducer.ts';
import { need, needLive, phaseFeatures } from '../../state/rows.ts';
import { closeJob, failPhases } from './closeJob.ts';
import { moveFeature, newFixFeature } from './features.ts';
import { moveJob } from './jobs.ts';

/** The failure reason of a feature that waited for one that failed. */
const DEPENDENCY_FAILED = 'dependency_failed';

function movePhase(phase: PhaseRow, trigger: PhaseTrigger, patch: Partial<PhaseRow> = {}): PhaseRow {
  return { ...phase, ...patch, status: step(`phase ${phase.number}`, PHASE, phase.status, trigger) };
}

/** The phase of an event, of a job that is not over. */
function phaseOf(state: State, event: { readonly job_id: string; readonly phase_id: number }): PhaseRow {
  needLive(state, event.job_id);
  const phase = need(state, 'phases', event.phase_id);
  if (phase.job_id === event.job_id) return phase;
  throw failure('ILLEGAL_TRANSITION', `phase ${phase.id} is not of job ${event.job_id}`);
}

/** The named features, and those of the phase that failed only because they depend on one of them. */
function reopened(state: State, phase: PhaseRow, ids: readonly number[], feedback: string): FeatureRow[] {
  const features = phaseFeatures(state, phase.id);
  const known = new Set(features.map((feature) => feature.id));
  const foreign = ids.find((id) => !known.has(id));
  if (foreign !== undefined) throw failure('ILLEGAL_TRANSITION', `feature ${foreign} is not of phase ${phase.number}`);
  const again = new Set(ids);
  const heldBack = (feature: FeatureRow): boolean =>
    !again.has(feature.id) &&
    feature.failure_reason === DEPENDENCY_FAILED &&
    feature.depends_on.some((id) => again.has(id));
  for (let more = features.filter(heldBack); more.length > 0; more = features.filter(heldBack)) {
    for (const { id } of more) again.add(id);
  }
  const fresh = {
    retry_count: 0,
    crash_count: 0,
    commit: null,
    candidates: [],
    failure_reason: null,
    completed_at: null,
  };
  return features
    .filter((feature) => again.has(feature.id))
    .map((feature) => {
      const patch = ids.includes(feature.id) ? { ...fresh, feedback } : fresh;
      return feature.status === 'pending' ? { ...feature, ...patch } : moveFeature(feature, 'reopen', patch);
    });
}

export const phaseReducers = {
  phase_started: (state, event) => {
    const phase = phaseOf(state, event);
    const put = movePhase(phase, 'start', {
      base_commit: phase.base_commit ?? event.base_commit,
      started_at: phase.started_at ?? event.at,
    });
    return [{ table: 'phases', put }];
  },
  phase_summarized: (state, event) => {
    const phase = phaseOf(state, event);
    return [
      { table: 'phases', put: { ...phase, summary: event.summary, summary_attempt: event.attempt } },
      ...endSession(state, event.session, event.at),
    ];
  },
  phase_reviewing: (state, event) => [
    { table: 'phases', put: movePhase(phaseOf(state, event), 'review', { review_attempt: null }) },
  ],
  phase_approved: (state, event) => {
    const phase = phaseOf(state, event);
    const features = phaseFeatures(state, phase.id);
    if (!features.some((feature) => feature.status === 'completed')) {
      throw failure('ILLEGAL_TRANSITION', `phase ${phase.number} has nothing completed: it cannot be approved`);
    }
    const held = features.filter((feature) => feature.status === 'pending');
    return [
      { table: 'phases', put: movePhase(phase, 'approve', { completed_at: event.at, error_message: null }) },
      ...held.map(
        (feature): Change => ({
          table: 'features',
          put: moveFeature(feature, 'fail', {
            failure_reason: DEPENDENCY_FAILED,
            completed_at: event.at,
            candidates: [],
          }),
        }),
      ),
    ];
  },
  phase_rejected: (state, event) => {
    const phase = phaseOf(state, event);
    const job = need(state, 'jobs', event.job_id);
    const again = movePhase(phase, 'reject', { attempt: phase.attempt + 1, feedback: event.feedback });
    if (phase.attempt >= job.options.maxPhaseAttempts) {
      const why = `phase ${phase.number} was rejected ${phase.attempt} times: ${event.feedback}`;
      const over = { feedback: event.feedback, error_message: why, completed_at: event.at };
      return [
        ...failPhases(state, job.id, event.at, why),
        { table: 'phases', put: movePhase(phase, 'fail', over) },
        { table: 'jobs', put: moveJob(job, 'fail', { reason: why, ended_at: event.at }) },
        ...closeJob(state, job.id, event.at, 'job failed'),
      ];
    }
    const changes: Change[] = [
      { table: 'phases', put: again },
      ...reopened(state, phase, event.reopen, event.feedback).map((put): Change => ({ table: 'features', put })),
    ];
    if (event.fix_feature_id !== null) {
      const by = event.by === 'steward' ? 'steward' : 'review';
      const fix = {
        id: event.fix_feature_id,
        title: event.fix_title,
        feedback: event.feedback,
        by,
        at: event.at,
      } as const;
      changes.push({ table: 'features', put: newFixFeature(state, phase, fix) });
    }
    return changes;
  },
} satisfies {
  phase_started: Reducer<'phase_started'>;
  phase_summarized: Reducer<'phase_summarized'>;
  phase_reviewing: Reducer<'phase_reviewing'>;
  phase_approved: Reducer<'phase_approved'>;
  phase_rejected: Reducer<'phase_rejected'>;
};
