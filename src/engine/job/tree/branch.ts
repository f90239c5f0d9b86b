/** Moves the job's branch, and proves what a commit of it contains. */
import { need } from '../../../core/state/rows.ts';
import { failure } from '../../../shared/errors.ts';
import type { FeatureRow, JobRow } from '../../../shared/job/rows.ts';
import type { JobContext } from '../context.ts';
import { treeOf } from './tree.ts';

/** From the job's head to a commit on top of it, or to the same commit. */
export async function advance(context: JobContext, job: JobRow, from: string, to: string): Promise<void> {
  if (from !== to) await context.git.advance(treeOf(context, job), { from, to });
}

interface Integrated {
  readonly feature_id: number;
  readonly commit: string;
}

/**
 * The commits of the completed features on which this one depends, which `accepted` contains. Throws INTERNAL if it lacks one:
 * the attempt would be based on a tree without it.
 */
export async function integratedDependencies(
  context: JobContext,
  job: JobRow,
  feature: FeatureRow,
  accepted: string,
): Promise<readonly Integrated[]> {
  const { state } = context.store;
  const integrated = feature.depends_on
    .flatMap((id) => state.features.get(id) ?? [])
    .flatMap(({ id, commit }) => (commit === null ? [] : [{ feature_id: id, commit }]));
  const others = [...new Set(integrated.map(({ commit }) => commit))].filter((commit) => commit !== accepted);
  if (others.length > 0 && !(await context.git.contains(treeOf(context, job), accepted, others))) {
    const names = integrated.map(({ feature_id }) => `"${need(state, 'features', feature_id).name}"`).join(', ');
    throw failure('INTERNAL', `the job's branch at ${accepted} does not contain ${names}`);
  }
  return integrated;
}
