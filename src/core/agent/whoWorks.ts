/** Decides which agents a card names: those that work or worked on its feature. */

import { BUILT_IN } from '../../shared/agent/executors.ts';
import type { ApprovalRow } from '../../shared/approval.ts';
import type { AttemptRow, FeatureRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { executorFor, executorOf, isSideBySide, pickedIn } from './executors.ts';

export interface Tried {
  readonly running: AttemptRow | null;
  readonly last: AttemptRow | null;
  /** The last question about picking a result. */
  readonly asked: ApprovalRow | null;
}

/** Returns the picked candidate if no attempt followed it, else the last attempt. */
function whoseResult(state: State, { last, asked }: Tried): AttemptRow | null {
  const isLatest = asked !== null && last !== null && asked.requested_at >= last.started_at;
  const picked = isLatest ? pickedIn(asked) : null;
  return picked === null ? last : (state.attempts.get(picked) ?? last);
}

const isOver = ({ status }: FeatureRow): boolean => status === 'completed' || status === 'failed';

function oneOf(state: State, feature: FeatureRow, tried: Tried): string {
  const attempt = isOver(feature) ? whoseResult(state, tried) : tried.running;
  if (attempt !== null) return executorOf(state, attempt);
  const job = feature.job_id === null ? undefined : state.jobs.get(feature.job_id);
  return isOver(feature) || job === undefined ? BUILT_IN : executorFor(job, 'worker', feature);
}

/** Several while the feature has candidates. Empty for the built-in agent. */
export function whoWorks(state: State, feature: FeatureRow, tried: Tried): readonly string[] {
  if (isSideBySide(feature) && !isOver(feature)) return feature.executors ?? [];
  const one = oneOf(state, feature, tried);
  return one === BUILT_IN ? [] : [one];
}
