/** Lists the models that a session may request, in a form that both protocols read. */
import { hasPrice, type PriceTable } from '../../core/money/price/pricing.ts';

const PATH = '/v1/models';
/** The creation time of a model is unknown, but the field is required. */
const CREATED = { created_at: '1970-01-01T00:00:00Z', created: 0 } as const;

/**
 * Whether a session may request a model beside its own. A session whose own model has no price uses a provider that has
 * none of the priced ones.
 */
export function mayAskFor(asked: string, own: string, prices: PriceTable): boolean {
  return hasPrice(prices, own) && hasPrice(prices, asked);
}

/** The list of models, or the model at the path; null if the path is neither. */
export function modelsAt(path: string, own: string, prices: PriceTable): object | null {
  const names = [...new Set([own, ...Object.keys(prices.models).filter((name) => mayAskFor(name, own, prices))])];
  if (path === PATH) {
    const ends = { first_id: names.at(0) ?? null, last_id: names.at(-1) ?? null };
    return { object: 'list', data: names.map(entry), has_more: false, ...ends };
  }
  const found = names.find((name) => path === `${PATH}/${name}` || path === `${PATH}/${encodeURIComponent(name)}`);
  return found === undefined ? null : entry(found);
}

function entry(id: string): object {
  return { id, type: 'model', object: 'model', display_name: id, owned_by: 'autonomous', ...CREATED };
}
