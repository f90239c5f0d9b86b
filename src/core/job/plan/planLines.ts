/** Formats the plan for workers: the features, which are the same for all, and how far they are. Pure. */
import type { FeatureRow, JobRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { jobFeatures, jobPhases, phaseFeatures } from '../../state/rows.ts';

/** One line for each phase and each of its features, in their order. Empty if the plan has one feature. */
export function planLines(state: State, job: JobRow): readonly string[] {
  if (jobFeatures(state, job.id).length === 1) return [];
  return jobPhases(state, job.id).flatMap((phase) => [
    `Phase ${phase.number}: ${phase.title}`,
    ...phaseFeatures(state, phase.id).map(({ id, name }) => `- ${id}: ${name}`),
  ]);
}

/** Which of these features are done, failed or worked on beside this one, by their numbers. Empty if none is. */
export function planProgress(state: State, job: JobRow, own: FeatureRow): string {
  const features = jobPhases(state, job.id).flatMap((phase) => phaseFeatures(state, phase.id));
  const of = (status: FeatureRow['status']): string =>
    ranges(features.filter((row) => row.status === status && row.id !== own.id).map(({ id }) => id));
  const [done, failed, now] = [of('completed'), of('failed'), of('in_progress')];
  const known = [
    ...(done === '' ? [] : [`Done: ${done}.`]),
    ...(failed === '' ? [] : [`Failed: ${failed}.`]),
    ...(now === '' ? [] : [`Worked on by others at the same time, and not in your tree yet: ${now}.`]),
  ];
  return known.length === 0 ? '' : [...known, 'The others: to do.'].join(' ');
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
