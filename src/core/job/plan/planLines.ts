/** Formats the plan for the worker of one feature: completed work, and work of other features. Pure. */
import type { FeatureRow, JobRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { jobFeatures, jobPhases, phaseFeatures } from '../../state/rows.ts';

const STATES: Readonly<Record<FeatureRow['status'], string>> = {
  completed: 'done',
  in_progress: 'to do',
  pending: 'to do',
  failed: 'failed',
};

/** One line for each phase and each of its features, in their order. Empty if the plan has one feature. */
export function planLines(state: State, job: JobRow, own: FeatureRow): readonly string[] {
  if (jobFeatures(state, job.id).length === 1) return [];
  return jobPhases(state, job.id).flatMap((phase) => [
    `Phase ${phase.number}: ${phase.title}`,
    ...phaseFeatures(state, phase.id).map(
      ({ id, name, status }) => `- ${name}: ${id === own.id ? 'yours' : STATES[status]}`,
    ),
  ]);
}
