/** Counts the features of a planned phase that lanes can start at once. */
import type { PlanPhase } from '../../../shared/job/plan.ts';
import { sharedPath } from '../sharedPaths.ts';

type Phase = Pick<PlanPhase, 'features'>;

/** Null if the number of lanes or of features is the only limit. */
export function startsAtOnce({ features }: Phase, lanes: number): number | null {
  const names = new Set(features.map(({ name }) => name));
  const started: { readonly paths: readonly string[] }[] = [];
  const most = Math.min(lanes, features.length);
  for (const { depends_on, paths = [] } of features) {
    if (started.length >= most) return null;
    const isFree = depends_on.every((name) => !names.has(name));
    if (isFree && started.every((other) => sharedPath({ paths }, other) === null)) started.push({ paths });
  }
  return started.length < most ? started.length : null;
}

export function startsText(phase: Phase, lanes: number): string | null {
  const count = startsAtOnce(phase, lanes);
  if (count === null) return null;
  const others = 'the others depend on features of the phase, or change the same files';
  return `With ${lanes} lanes, ${count} of its ${phase.features.length} features can start at once: ${others}.`;
}
