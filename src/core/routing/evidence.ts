/** Reads from the rows which model passed which features, and at what cost. */

import { BUILT_IN } from '../../shared/agent/executors.ts';
import type { AttemptRow, FeatureRow } from '../../shared/job/rows.ts';
import type { Payee } from '../../shared/model/models.ts';
import type { SpendRow } from '../../shared/money.ts';
import type { State } from '../../shared/workspace/state.ts';
import { isSideBySide } from '../agent/executors.ts';
import { hasPriceOf } from '../money/price/unpriced.ts';
import { countedMicroUsd } from '../state/rows.ts';

/** The result of the first attempt at a feature with a model. */
export interface Observation {
  /** The task of an eval, which several models attempt and hidden tests judge. Null for a feature of a job. */
  readonly task: string | null;
  readonly model: string;
  readonly category: string;
  readonly passed: boolean;
  /** Upper bound of its cost. */
  readonly microUsd: number;
  /** Whether another model had failed at the feature before. */
  readonly afterFailure: boolean;
}

/** Whether the result of the attempt does not count: it failed, or it passed and the feature was opened again. */
export function isFailure(attempt: AttemptRow, feature: FeatureRow, isLast: boolean): boolean {
  if (attempt.status === 'failed') return true;
  return attempt.status === 'succeeded' && (!isLast || feature.status !== 'completed');
}

/** A simulation shows nothing about real models. */
export const isPlayed = (payee: Payee): boolean => payee === 'simulated';

export const isJudged = ({ status }: Pick<AttemptRow, 'status'>): boolean =>
  status === 'succeeded' || status === 'failed';

/**
 * One observation for each feature and model: the first attempt of the built-in agent with that model. Attempts whose calls have no price, or of which
 * no call is booked, are left out: a missing price is not a low price. `provider`: whether results of a simulation count, or those of real
 * models.
 */
export function observations(state: State, provider: Payee): Observation[] {
  const spends = Map.groupBy(state.spends.values(), (row) => row.attempt_id);
  const byFeature = Map.groupBy(state.attempts.values(), (row) => row.feature_id);
  return [...byFeature].flatMap(([id, attempts]) => {
    const feature = id === null ? undefined : state.features.get(id);
    if (feature === undefined || isSideBySide(feature)) return [];
    return ofFeature(state, feature, attempts, (row) => costOf(row, spends.get(row.id) ?? [], provider));
  });
}

function ofFeature(
  state: State,
  feature: FeatureRow,
  rows: readonly AttemptRow[],
  cost: (attempt: AttemptRow) => number | null,
): Observation[] {
  const attempts = [...rows].sort((a, b) => a.number - b.number);
  const failed = new Set<string>();
  const seen = new Set<string>();
  const found: Observation[] = [];
  for (const attempt of attempts) {
    const session = state.sessions.get(attempt.session_id);
    if (session === undefined || session.executor !== BUILT_IN || !isJudged(attempt)) continue;
    const { model } = session;
    const fails = isFailure(attempt, feature, attempt === attempts.at(-1));
    const microUsd = cost(attempt);
    const afterFailure = [...failed].some((other) => other !== model);
    if (!seen.has(model) && microUsd !== null)
      found.push({ task: null, model, category: feature.category, passed: !fails, microUsd, afterFailure });
    seen.add(model);
    if (fails) failed.add(model);
  }
  return found;
}

/** Null if the cost is not known, or if only one of the two is a simulation. Calls that were possibly billed count at their upper bound. */
function costOf({ session_id }: AttemptRow, rows: readonly SpendRow[], provider: Payee): number | null {
  const own = rows.filter((row) => row.session_id === session_id && row.status !== 'released');
  if (own.length === 0 || own.some((row) => isPlayed(row.provider) !== isPlayed(provider) || !hasPriceOf(row)))
    return null;
  return own.reduce((sum, row) => sum + countedMicroUsd(row), 0);
}
