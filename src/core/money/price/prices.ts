/** The built-in prices of the models, from assets/prices.json. */
import prices from '../../../../assets/prices.json' with { type: 'json' };
import type { PriceTable } from './pricing.ts';

/** Prices of the models, USD per million tokens. A setting may replace them; see `priceOverride.ts`. */
export const PRICES: PriceTable = prices;
