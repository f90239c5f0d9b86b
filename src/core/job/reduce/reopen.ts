/** Repeats phases in which a feature was reopened: their verdicts are no longer valid. */
import type { FeatureRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { Change, State } from '../../../shared/workspace/state.ts';
import { abandonInterrupted } from '../../state/abandon.ts';
import { PHASE, step } from '../../state/machines.ts';

/**
 * A job's phases that must be repeated: a completed one with a pending feature; one under review with a pending feature that can be picked; and every
 * phase under review after one of these.
 */
export function reopenedPhases(phases: readonly PhaseRow[], features: readonly FeatureRow[]): PhaseRow[] {
  const completed = new Map(features.map((feature) => [feature.id, feature.status === 'completed']));
  const again = new Set<number>();
  const underReview = new Set(phases.filter((phase) => phase.status === 'reviewing').map((phase) => phase.id));
  const over = new Set(phases.filter((phase) => phase.status === 'completed').map((phase) => phase.id));
  for (const feature of features) {
    if (feature.status !== 'pending' || feature.phase_id === null) continue;
    const free = feature.depends_on.every((id) => completed.get(id) !== false);
    if (over.has(feature.phase_id) || (free && underReview.has(feature.phase_id))) again.add(feature.phase_id);
  }
  const first = Math.min(...phases.filter((phase) => again.has(phase.id)).map((phase) => phase.number));
  return phases
    .filter((phase) => again.has(phase.id) || (underReview.has(phase.id) && phase.number > first))
    .map((phase) => ({
      ...phase,
      status: step(`phase ${phase.number}`, PHASE, phase.status, 'reopen'),
      attempt: phase.status === 'completed' ? 1 : phase.attempt,
      summary_attempt: 0,
      review_attempt: null,
      completed_at: null,
    }));
}

/** Abandons running reviews of phases that are repeated. */
export function abandonReviews(state: State, phases: readonly PhaseRow[], at: string): Change[] {
  const ids = new Set(phases.map((phase) => phase.id));
  const matches = (row: { feature_id: number | null; phase_id: number }): boolean =>
    row.feature_id === null && ids.has(row.phase_id);
  return abandonInterrupted(state, matches, 'the phase is repeated', at);
}
