/** Phases by job and features by phase, in order. Grouped once for a state, however many ask. */
import type { FeatureRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';

export interface JobTree {
  phasesOf(jobId: string): readonly PhaseRow[];
  featuresOf(phaseId: number): readonly FeatureRow[];
}

function treeOf({ phases, features }: State): JobTree {
  const byJob = Map.groupBy(phases.values(), (phase) => phase.job_id);
  const byPhase = Map.groupBy(features.values(), (feature) => feature.phase_id);
  return {
    phasesOf: (jobId) => (byJob.get(jobId) ?? []).toSorted((a, b) => a.number - b.number),
    featuresOf: (phaseId) => (byPhase.get(phaseId) ?? []).toSorted((a, b) => a.position - b.position || a.id - b.id),
  };
}

/** Remembers the tree until an event changes the state: every event replaces its meta. */
export function jobTrees(): (state: State) => JobTree {
  let known: { readonly meta: State['meta']; readonly tree: JobTree } | null = null;
  return (state) => {
    if (known?.meta !== state.meta) known = { meta: state.meta, tree: treeOf(state) };
    return known.tree;
  };
}
