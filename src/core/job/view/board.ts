/** The board: the features for every surface, and seed 003's counts. A function of the state, never stored. */

import { BUILT_IN } from '../../../shared/agent/executors.ts';
import type { CardPlace, Lane } from '../../../shared/job/place.ts';
import type { AttemptRow, FeatureRow, FeatureStatus } from '../../../shared/job/rows.ts';
import { FEATURE_STATUSES } from '../../../shared/job/rows.ts';
import type { Spent } from '../../../shared/money.ts';
import type { Route } from '../../../shared/routing.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { executorFor } from '../../agent/executors.ts';
import { spentBy } from '../../money/view/spent.ts';
import { isFinal, JOB } from '../../state/machines.ts';
import { delaysOf, featureApprovals, heldBecause, lanesOf } from '../lanes.ts';
import { placeOf } from './place.ts';

export type Counts = Readonly<Record<FeatureStatus, number>>;

export interface KanbanStats extends Counts {
  readonly byCategory: readonly ({ readonly category: string } & Counts)[];
}

export interface Card extends Spent {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly testing_steps: readonly string[];
  readonly status: FeatureStatus;
  readonly lane: Lane;
  readonly retry_count: number;
  readonly job: string | null;
  readonly phase: { readonly id: number; readonly number: number; readonly title: string } | null;
  readonly depends_on: readonly number[];
  /** The reason why a pending feature is not picked. */
  readonly held: string | null;
  /** The open attempt's lane and its number in the merge queue. Null if no attempt is open, or its job has one lane. */
  readonly place: CardPlace | null;
  /** Executors of the feature; several if it has candidates. */
  readonly executors: readonly string[];
  readonly attempts: number;
  /** Model of the newest attempt. Null if there is none. */
  readonly model: string | null;
  /** The choice of that model. Null if routing did not choose. */
  readonly route: Route | null;
  readonly notes: number;
  readonly approval: number | null;
  readonly failure_reason: string | null;
  readonly feedback: string | null;
  readonly commit: string | null;
}

export interface Board {
  readonly version: 1;
  readonly stats: KanbanStats;
  readonly features: readonly Card[];
}

function count(features: readonly FeatureRow[]): Counts {
  const counts = { pending: 0, in_progress: 0, completed: 0, failed: 0 };
  for (const feature of features) counts[feature.status]++;
  return counts;
}

export function kanbanStats(features: readonly FeatureRow[]): KanbanStats {
  const byCategory = Object.groupBy(features, (feature) => feature.category);
  return {
    ...count(features),
    byCategory: Object.entries(byCategory)
      .sort(([a], [b]) => a.localeCompare(b, 'en'))
      .map(([category, of = []]) => ({ category, ...count(of) })),
  };
}

function tally<Row>(
  rows: Iterable<Row>,
  key: (row: Row) => number | null,
  amount: (row: Row) => number,
): Map<number, number> {
  const sums = new Map<number, number>();
  for (const row of rows) {
    const id = key(row);
    if (id !== null) sums.set(id, (sums.get(id) ?? 0) + amount(row));
  }
  return sums;
}

/** In the order of work: jobs by creation, phases, positions. Features without a job come first. */
export function inOrderOfWork(state: State, features: Iterable<FeatureRow>): FeatureRow[] {
  const jobOrder = new Map([...state.jobs.keys()].map((id, index) => [id, index + 1]));
  const ranked = Array.from(features, (feature) => ({
    feature,
    job: feature.job_id === null ? 0 : (jobOrder.get(feature.job_id) ?? 0),
    phase: feature.phase_id === null ? 0 : (state.phases.get(feature.phase_id)?.number ?? 0),
  }));
  ranked.sort(
    (a, b) =>
      a.job - b.job || a.phase - b.phase || a.feature.position - b.feature.position || a.feature.id - b.feature.id,
  );
  return ranked.map(({ feature }) => feature);
}

/** Returns a function that states why a pending feature of a running job does not start. Null if it can. */
export function holds(state: State): (feature: FeatureRow) => string | null {
  const delays = new Map<string, (feature: FeatureRow) => string | null>();
  return (feature) => {
    const job = feature.job_id === null ? undefined : state.jobs.get(feature.job_id);
    if (feature.status !== 'pending' || (job !== undefined && isFinal(JOB, job.status))) return null;
    const held = heldBecause(state, feature);
    if (held !== null || job === undefined || feature.paths.length === 0 || lanesOf(job) === 1) return held;
    const delayed = delays.get(job.id) ?? delaysOf(state, job.id);
    delays.set(job.id, delayed);
    return delayed(feature);
  };
}

function executorsOf(state: State, { job_id, executors }: FeatureRow): readonly string[] {
  const job = job_id === null ? undefined : state.jobs.get(job_id);
  return executors ?? [job === undefined ? BUILT_IN : executorFor(job, 'worker')];
}

/** `jobId` limits the board to one job; null is everything. */
export function board(state: State, jobId: string | null = null): Board {
  const chosen = [...state.features.values()].filter((feature) => jobId === null || feature.job_id === jobId);
  const spends = Map.groupBy(state.spends.values(), (row) => row.feature_id);
  const attempts = tally(
    state.attempts.values(),
    (row) => row.feature_id,
    () => 1,
  );
  const newest = new Map<number, AttemptRow>();
  for (const row of state.attempts.values()) if (row.feature_id !== null) newest.set(row.feature_id, row);
  const notes = tally(
    state.notes.values(),
    (row) => (row.superseded_by === null ? row.feature_id : null),
    () => 1,
  );
  const questions = featureApprovals(state);
  const held = holds(state);
  const cards = inOrderOfWork(state, chosen).map((feature): Card => {
    const phase = feature.phase_id === null ? undefined : state.phases.get(feature.phase_id);
    const approval = questions.get(feature.id);
    const last = newest.get(feature.id);
    return {
      id: feature.id,
      name: feature.name,
      description: feature.description,
      category: feature.category,
      testing_steps: feature.testing_steps,
      status: feature.status,
      lane: approval === undefined ? feature.status : 'needs_you',
      retry_count: feature.retry_count,
      job: feature.job_id,
      phase: phase === undefined ? null : { id: phase.id, number: phase.number, title: phase.title },
      depends_on: feature.depends_on,
      held: held(feature),
      place: placeOf(state, last),
      executors: executorsOf(state, feature),
      attempts: attempts.get(feature.id) ?? 0,
      model: last === undefined ? null : (state.sessions.get(last.session_id)?.model ?? null),
      route: last?.route ?? null,
      notes: notes.get(feature.id) ?? 0,
      ...spentBy(spends.get(feature.id) ?? []),
      approval: approval?.id ?? null,
      failure_reason: feature.failure_reason,
      feedback: feature.feedback,
      commit: feature.commit,
    };
  });
  return { version: 1, stats: kanbanStats(chosen), features: cards };
}

export const LANES: readonly Lane[] = [...FEATURE_STATUSES.slice(0, 2), 'needs_you', ...FEATURE_STATUSES.slice(2)];
