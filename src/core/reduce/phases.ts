/** Events of a phase: started, summarized, reviewed. */
import type { FeatureRow, PhaseRow } from '../../shared/domain.ts';
import { failure } from '../../shared/errors.ts';
import type { Change, State } from '../../shared/state.ts';
import { FEATURE, isFinal, PHASE, step } from '../machines.ts';
import type { Reducer } from '../reduce.ts';
import { need, phaseFeatures } from '../rows.ts';
import { moveFeature, newFixFeature } from './features.ts';
import { closeJob, moveJob } from './jobs.ts';
import { endSession } from './sessions.ts';

function movePhase(phase: PhaseRow, trigger: string, patch: Partial<PhaseRow> = {}): PhaseRow {
  return { ...phase, ...patch, status: step(`phase ${phase.number}`, PHASE, phase.status, trigger) };
}

/** The named features and, through any number of steps, nothing else: what they held back is pending anyway. */
function reopened(state: State, phase: PhaseRow, ids: readonly number[], feedback: string): FeatureRow[] {
  return ids.map((id) => {
    const feature = need(state, 'features', id);
    if (feature.phase_id !== phase.id)
      throw failure('ILLEGAL_TRANSITION', `feature ${id} is not of phase ${phase.number}`);
    const patch = { retry_count: 0, crash_count: 0, feedback, failure_reason: null, completed_at: null };
    return isFinal(FEATURE, feature.status) || feature.status === 'pending'
      ? { ...feature, ...patch }
      : moveFeature(feature, 'reopen', patch);
  });
}

export const phaseReducers = {
  phase_started: (state, event) => {
    const phase = need(state, 'phases', event.phase_id);
    const put = movePhase(phase, 'start', {
      base_commit: phase.base_commit ?? event.base_commit,
      started_at: phase.started_at ?? event.at,
    });
    return [{ table: 'phases', put }];
  },
  phase_summarized: (state, event) => {
    const phase = need(state, 'phases', event.phase_id);
    return [
      { table: 'phases', put: { ...phase, summary: event.summary, summary_attempt: event.attempt } },
      ...endSession(state, event.session, event.at),
    ];
  },
  phase_reviewing: (state, event) => [
    { table: 'phases', put: movePhase(need(state, 'phases', event.phase_id), 'review', { review_attempt: null }) },
  ],
  phase_approved: (state, event) => {
    const phase = need(state, 'phases', event.phase_id);
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
          put: moveFeature(feature, 'fail', { failure_reason: 'dependency_failed', completed_at: event.at }),
        }),
      ),
    ];
  },
  phase_rejected: (state, event) => {
    const phase = need(state, 'phases', event.phase_id);
    const job = need(state, 'jobs', event.job_id);
    if (phase.attempt >= job.options.maxPhaseAttempts) {
      const why = `phase ${phase.number} was rejected ${phase.attempt} times: ${event.feedback}`;
      return [
        {
          table: 'phases',
          put: movePhase(phase, 'fail', { feedback: event.feedback, error_message: why, completed_at: event.at }),
        },
        { table: 'jobs', put: moveJob(job, 'fail', { reason: why, ended_at: event.at }) },
        ...closeJob(state, job.id, event.at, 'job failed'),
      ];
    }
    const changes: Change[] = [
      { table: 'phases', put: movePhase(phase, 'reject', { attempt: phase.attempt + 1, feedback: event.feedback }) },
      ...reopened(state, phase, event.reopen, event.feedback).map((put): Change => ({ table: 'features', put })),
    ];
    if (event.fix_feature_id !== null) {
      const position = Math.max(0, ...phaseFeatures(state, phase.id).map((feature) => feature.position)) + 1;
      const by = event.by === 'steward' ? 'steward' : 'review';
      changes.push({
        table: 'features',
        put: newFixFeature(phase, event.fix_feature_id, position, event.feedback, by, event.at),
      });
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
