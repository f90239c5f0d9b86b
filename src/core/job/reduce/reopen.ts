/** Phases that go again because there is something to do in them after all: what was judged is no longer so. */
import type { FeatureRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { Change, State } from '../../../shared/workspace/state.ts';
import { abandonInterrupted } from '../../state/abandon.ts';
import { PHASE, step } from '../../state/machines.ts';

/**
 * Of a job's phases, as they would go again: a completed one that holds a pending feature; one under review that holds a
 * pending feature which can be picked; and what is under review after any of these.
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

/** Reviews under way of phases that go again. */
export function abandonReviews(state: State, phases: readonly PhaseRow[], at: string): Change[] {
  const ids = new Set(phases.map((phase) => phase.id));
  const matches = (row: { feature_id: number | null; phase_id: number }): boolean =>
    row.feature_id === null && ids.has(row.phase_id);
  return abandonInterrupted(state, matches, 'the phase goes again', at);
}
