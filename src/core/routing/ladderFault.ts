/** Checks the ladders of a job before it is filed. */

import type { JobOptions } from '../../shared/job/rows.ts';
import { LADDER_ROLES, type LadderRole, MAX_RUNGS } from '../../shared/routing.ts';
import { levelFault } from '../model/effort.ts';
import { hasPrice, type PriceTable } from '../money/price/pricing.ts';
import { isPriced } from '../money/price/unpriced.ts';
import { typicalCost } from './rungs.ts';

export interface LadderFault {
  readonly code: 'INVALID_INPUT' | 'MODEL_UNPRICED';
  readonly message: string;
  readonly hint: string;
}

/** The first fault of the job's ladders. Null if they are valid, or routing is off. */
export function ladderFault(options: JobOptions, prices: PriceTable): LadderFault | null {
  const { routing = 'off', ladders = {}, provider } = options;
  if (routing === 'off') return null;
  if (!isPriced(provider))
    return invalid(
      `routing compares prices, and ${provider} names none`,
      'Turn routing off, or choose another provider.',
    );
  const given = LADDER_ROLES.flatMap((role) => (ladders[role] === undefined ? [] : [[role, ladders[role]] as const]));
  for (const [role, models] of given) {
    const fault = faultOf(role, models, options, prices);
    if (fault !== null) return fault;
  }
  return null;
}

const invalid = (message: string, hint: string): LadderFault => ({ code: 'INVALID_INPUT', message, hint });

function faultOf(
  role: LadderRole,
  models: readonly string[],
  { models: own, effort }: JobOptions,
  prices: PriceTable,
): LadderFault | null {
  const whose = `the ladder of the ${role}`;
  if (models.length === 0) return invalid(`${whose} is empty`, 'Name its models from cheap to strong.');
  if (models.length > MAX_RUNGS) return invalid(`${whose} has ${models.length} models`, `At most: ${MAX_RUNGS}.`);
  if (new Set(models).size < models.length) return invalid(`${whose} names a model twice`, 'Name each model once.');
  for (const model of models) {
    const quoted = JSON.stringify(model.slice(0, 100));
    if (!hasPrice(prices, model)) {
      const hint = `Routing compares prices. Priced: ${Object.keys(prices.models).join(', ')}.`;
      return { code: 'MODEL_UNPRICED', message: `${whose} names ${quoted}, which has no price`, hint };
    }
    const level = levelFault(model, effort?.[role], role);
    if (level !== null) return invalid(level.message, level.hint);
  }
  const at = models.findIndex((model, i) => i > 0 && isCheaper(prices, model, models[i - 1] ?? model));
  if (at > 0)
    return invalid(
      `${whose} is not ordered from cheap to strong: ${models[at]} costs less than ${models[at - 1]}`,
      'Name the cheapest model first.',
    );
  // Without its own model in the ladder, a planner or a reviewer could start with a weaker one.
  if (role !== 'worker' && !models.includes(own[role]))
    return invalid(
      `${whose} lacks its own model, ${own[role]}`,
      `Add ${own[role]} to the ladder, or choose the model of the ${role}: --model ${role}=${models[0]}`,
    );
  return null;
}

const isCheaper = (prices: PriceTable, model: string, than: string): boolean =>
  typicalCost(prices, model) < typicalCost(prices, than);
