/** Formats the plan for workers: the features, which are the same for all, and how far they are. Pure. */
import type { FeatureRow, JobRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { featureAttempts, isOpenAttempt, jobFeatures, jobPhases, phaseFeatures } from '../../state/rows.ts';
import { lanesOf } from '../lanes.ts';

/** One line for each phase and each of its features, in their order. Empty if the plan has one feature. */
export function planLines(state: State, job: JobRow): readonly string[] {
  if (jobFeatures(state, job.id).length === 1) return [];
  const together =
    lanesOf(job) === 1 ? [] : ['Features that do not depend on each other are worked on at the same time.'];
  const lines = jobPhases(state, job.id).flatMap((phase) => [
    `Phase ${phase.number}: ${phase.title}`,
    ...phaseFeatures(state, phase.id).map(({ id, name }) => `- ${id}: ${name}`),
  ]);
  return [...together, ...lines];
}

/** How far the other features are, by their numbers. Empty if none has begun. */
export function planProgress(state: State, job: JobRow, own: FeatureRow): string {
  const features = jobPhases(state, job.id).flatMap((phase) => phaseFeatures(state, phase.id));
  const others = features.filter((row) => row.id !== own.id);
  const attempt = featureAttempts(state, own.id).find(isOpenAttempt);
  const since = attempt?.returns.at(-1)?.at ?? attempt?.started_at ?? null;
  const isLater = ({ completed_at }: FeatureRow): boolean => since !== null && (completed_at ?? '') > since;
  const listed = (matches: (row: FeatureRow) => boolean): string => ranges(others.filter(matches).map(({ id }) => id));
  const done = listed((row) => row.status === 'completed' && !isLater(row));
  const failed = listed(({ status }) => status === 'failed');
  const beside = listed((row) => row.status === 'in_progress' || (row.status === 'completed' && isLater(row)));
  const known = [
    ...(done === '' ? [] : [`Done: ${done}.`]),
    ...(failed === '' ? [] : [`Failed: ${failed}.`]),
    ...(beside === ''
      ? []
      : [`In work by others at the same time, or merged since: ${beside}. What they change now is not in your tree.`]),
  ];
  const isLeft = others.some(({ status }) => status === 'pending');
  return known.length === 0 ? '' : [...known, ...(isLeft ? ['The others: to do.'] : [])].join(' ');
}

/** `1-3, 5` */
function ranges(ids: readonly number[]): string {
  const runs: { readonly first: number; readonly last: number }[] = [];
  for (const id of ids.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && run.last + 1 === id) runs.splice(-1, 1, { ...run, last: id });
    else runs.push({ first: id, last: id });
  }
  return runs.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}
