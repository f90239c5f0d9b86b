/** Reduces the status, the retries and the order of features, and notes. Every event that moves a feature comes here. */

import { PLAN_LIMITS } from '../../../shared/job/planLimits.ts';
import type { FeatureRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { NoteRow } from '../../../shared/note.ts';
import type { EventOf } from '../../../shared/workspace/events.ts';
import type { Change, State } from '../../../shared/workspace/state.ts';
import { candidatesOf, executorOf, othersRemain } from '../../agent/executors.ts';
import { FEATURE, type FeatureTrigger, step } from '../../state/machines.ts';
import type { Reducer } from '../../state/reducer.ts';
import { featureAttempts, jobFeatures, need, needNew, phaseFeatures } from '../../state/rows.ts';

/** Seed 003's limit. Applies if no job sets another one. */
export const MAX_RETRIES = 3;
/** A feature that no attempt was made at. */
export const UNTRIED = {
  status: 'pending',
  retry_count: 0,
  feedback: null,
  failure_reason: null,
  crash_count: 0,
  commit: null,
  executors: null,
  candidates: [],
} as const satisfies Partial<FeatureRow>;
export const GAVE_UP = 'the steward gave it up';

export function moveFeature(feature: FeatureRow, trigger: FeatureTrigger, patch: Partial<FeatureRow> = {}): FeatureRow {
  return { ...feature, ...patch, status: step(`feature ${feature.id}`, FEATURE, feature.status, trigger) };
}

/** Counts a failed attempt: the feature is pending again, or failed at the limit and never picked again. The count stops at the limit. */
export function useRetry(state: State, feature: FeatureRow, feedback: string | null, at: string): FeatureRow {
  const job = feature.job_id === null ? undefined : state.jobs.get(feature.job_id);
  const limit = job?.options.maxRetries ?? MAX_RETRIES;
  const tries = feature.retry_count + 1;
  const retry_count = Math.max(feature.retry_count, Math.min(tries, limit));
  const patch = { retry_count, crash_count: 0, commit: null, candidates: [], feedback: feedback ?? feature.feedback };
  if (tries < limit) return moveFeature(feature, 'retry', { ...patch, failure_reason: null, completed_at: null });
  return moveFeature(feature, 'fail', { ...patch, failure_reason: `exceeded ${limit} retries`, completed_at: at });
}

/** Abandons the newest attempt. With several agents, the others may still attempt the feature, unless every one of them was abandoned or interrupted. */
export function giveUp(state: State, feature: FeatureRow, why: string | null, at: string): FeatureRow {
  const last = featureAttempts(state, feature.id).at(-1);
  const tried = candidatesOf(state, feature);
  if (last !== undefined && othersRemain(state, feature)) {
    // If the tree or the plan changed meanwhile, all agents start again, and this one may not be the next.
    const isItsTurn = feature.executors?.[tried.length] === executorOf(state, last);
    const candidates = isItsTurn ? [...feature.candidates, last.id] : feature.candidates;
    return moveFeature(feature, 'release', { crash_count: 0, candidates });
  }
  return moveFeature(feature, 'fail', { failure_reason: why ?? GAVE_UP, completed_at: at, candidates: [] });
}

/** Unlike every other name of the job, and no longer than a plan may have it: a steward edits it like the others. */
function fixName(state: State, phase: PhaseRow, title: string | undefined): string {
  const taken = new Set(jobFeatures(state, phase.job_id).map((feature) => feature.name));
  // Fixes of older events are numbered from the first one, and keep their names.
  for (let number = title === undefined ? phase.attempt : 1; ; number++) {
    const fix = title !== undefined && number === 1 ? 'Fix' : `Fix ${number}`;
    const name = `${fix}: ${title ?? phase.title}`.slice(0, PLAN_LIMITS.name).trim();
    if (!taken.has(name)) return name;
  }
}

export interface AskedFix {
  readonly id: number;
  readonly title: string | undefined;
  readonly feedback: string;
  readonly by: 'review' | 'steward';
  readonly at: string;
}

/** A new feature for a rejection, last in its phase. */
export function newFixFeature(state: State, phase: PhaseRow, asked: AskedFix): FeatureRow {
  const { id, title, feedback, by, at } = asked;
  needNew(state, 'features', id);
  const last = phaseFeatures(state, phase.id).at(-1);
  return {
    id,
    job_id: phase.job_id,
    phase_id: phase.id,
    position: (last?.position ?? 0) + 1,
    name: fixName(state, phase, title),
    description: feedback.trim() === '' ? `Fix the problems of ${phase.title}` : feedback,
    category: 'fix',
    testing_steps: [],
    verify_commands: [],
    depends_on: [],
    paths: [],
    ...UNTRIED,
    created_by: by,
    created_at: at,
    completed_at: null,
  };
}

/** An imported note stays imported when its scope changes. Otherwise the role of the session counts, not the event's value. */
function authorOf(
  state: State,
  { created_by = null, created_by_session }: Pick<EventOf<'note_added'>['note'], 'created_by' | 'created_by_session'>,
): NoteRow['created_by'] {
  const session = created_by_session === null ? undefined : state.sessions.get(created_by_session);
  return created_by === 'import' || session === undefined ? created_by : session.role;
}

export const featureReducers = {
  feature_reordered: (state, event) => {
    const feature = need(state, 'features', event.id);
    return [{ table: 'features', put: { ...feature, position: event.position } }];
  },
  note_added: (state, event) => {
    const { note, supersedes } = event;
    needNew(state, 'notes', note.id);
    if (note.feature_id !== null) need(state, 'features', note.feature_id);
    const created_by = authorOf(state, note);
    const put = { ...note, created_by, created_at: event.at, superseded_by: null };
    const changes: Change[] = [{ table: 'notes', put }];
    if (supersedes !== null) {
      changes.push({ table: 'notes', put: { ...need(state, 'notes', supersedes), superseded_by: note.id } });
    }
    return changes;
  },
  note_resolved: (state, event) => [{ table: 'notes', put: { ...need(state, 'notes', event.id), superseded_by: 0 } }],
} satisfies {
  feature_reordered: Reducer<'feature_reordered'>;
  note_added: Reducer<'note_added'>;
  note_resolved: Reducer<'note_resolved'>;
};
