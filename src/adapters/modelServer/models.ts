/** The models that a session may ask for, and their list in a form that both protocols read. */
import { hasPrice, type PriceTable } from '../../core/money/pricing.ts';

const PATH = '/v1/models';
/** When a model came to be is nothing that we know, and a field that must be there. */
const CREATED = { created_at: '1970-01-01T00:00:00Z', created: 0 } as const;

/** Beside its own model. A session whose own has no price is at a provider that knows none of the priced ones. */
export function mayAskFor(asked: string, own: string, prices: PriceTable): boolean {
  return hasPrice(prices, own) && hasPrice(prices, asked);
}

/** What is at the path: the list, or one of them; null: nothing. */
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
