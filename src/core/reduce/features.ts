/** Features changed by hand or by an agent's report, and notes. */
import type { FeatureRow, PhaseRow } from '../../shared/domain.ts';
import { failure } from '../../shared/errors.ts';
import type { Change, State } from '../../shared/state.ts';
import { FEATURE, step } from '../machines.ts';
import type { Reducer } from '../reduce.ts';
import { need } from '../rows.ts';

/** Seed 003's limit where no job says otherwise. */
export const MAX_RETRIES = 3;

export function moveFeature(feature: FeatureRow, trigger: string, patch: Partial<FeatureRow> = {}): FeatureRow {
  return { ...feature, ...patch, status: step(`feature ${feature.id}`, FEATURE, feature.status, trigger) };
}

/** One failed try: pending again, or failed at the limit and never picked again. */
export function useRetry(state: State, feature: FeatureRow, feedback: string | null, at: string): FeatureRow {
  const job = feature.job_id === null ? undefined : state.jobs.get(feature.job_id);
  const limit = job?.options.maxRetries ?? MAX_RETRIES;
  const retry_count = feature.retry_count + 1;
  const patch = { retry_count, crash_count: 0, feedback: feedback ?? feature.feedback };
  if (retry_count < limit) return moveFeature(feature, 'retry', patch);
  return moveFeature(feature, 'fail', { ...patch, failure_reason: `exceeded ${limit} retries`, completed_at: at });
}

/** A feature that the plan did not have: what a rejection asks for. */
export function newFixFeature(
  phase: PhaseRow,
  id: number,
  position: number,
  feedback: string,
  by: 'review' | 'steward',
  at: string,
): FeatureRow {
  return {
    id,
    job_id: phase.job_id,
    phase_id: phase.id,
    position,
    name: `Fix ${phase.attempt}: ${phase.title}`,
    description: feedback,
    category: 'fix',
    testing_steps: [],
    depends_on: [],
    status: 'pending',
    retry_count: 0,
    feedback: null,
    failure_reason: null,
    crash_count: 0,
    commit: null,
    created_by: by,
    created_at: at,
    completed_at: null,
  };
}

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

/** An interrupted attempt is over once somebody else decides about its feature. */
function dropInterrupted(state: State, id: number, at: string): Change[] {
  const changes: Change[] = [];
  for (const attempt of state.attempts.values()) {
    if (attempt.feature_id !== id || attempt.status !== 'interrupted') continue;
    changes.push({ table: 'attempts', put: { ...attempt, status: 'abandoned', cause: 'set by hand', ended_at: at } });
    const session = state.sessions.get(attempt.session_id);
    if (session?.status === 'running') {
      changes.push({
        table: 'sessions',
        put: { ...session, status: 'failed', ended_at: at, error_message: 'set by hand' },
      });
    }
  }
  return changes;
}

const TRIGGER = { pending: 'reopen', in_progress: 'start', completed: 'complete', failed: 'fail' } as const;

export const featureReducers = {
  feature_set: (state, event) => {
    const feature = free(state, event.id);
    const trigger =
      event.status === 'pending' && FEATURE[feature.status]['reopen'] === undefined ? 'release' : TRIGGER[event.status];
    const over = event.status === 'completed' || event.status === 'failed';
    const row = moveFeature(feature, trigger, {
      retry_count: event.status === 'pending' ? 0 : feature.retry_count,
      crash_count: 0,
      failure_reason: event.status === 'failed' ? (event.reason ?? 'set by the steward') : null,
      completed_at: over ? event.at : null,
    });
    return [{ table: 'features', put: row }, ...dropInterrupted(state, event.id, event.at)];
  },
  feature_retried: (state, event) => {
    const feature = free(state, event.id);
    const row = useRetry(state, feature, event.feedback, event.at);
    return [{ table: 'features', put: row }, ...dropInterrupted(state, event.id, event.at)];
  },
  feature_reordered: (state, event) => {
    const feature = need(state, 'features', event.id);
    return [{ table: 'features', put: { ...feature, position: event.position } }];
  },
  note_added: (state, event) => {
    const { note, supersedes } = event;
    if (note.feature_id !== null) need(state, 'features', note.feature_id);
    const changes: Change[] = [{ table: 'notes', put: { ...note, created_at: event.at, superseded_by: null } }];
    if (supersedes !== null) {
      changes.push({ table: 'notes', put: { ...need(state, 'notes', supersedes), superseded_by: note.id } });
    }
    return changes;
  },
  note_resolved: (state, event) => [{ table: 'notes', put: { ...need(state, 'notes', event.id), superseded_by: 0 } }],
} satisfies {
  feature_set: Reducer<'feature_set'>;
  feature_retried: Reducer<'feature_retried'>;
  feature_reordered: Reducer<'feature_reordered'>;
  note_added: Reducer<'note_added'>;
  note_resolved: Reducer<'note_resolved'>;
};
