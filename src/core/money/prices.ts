import prices from '../../../assets/prices.json' with { type: 'json' };
import type { PriceTable } from './pricing.ts';

/** What the models cost, USD per million tokens. A setting may replace it; see `withPrices`. */
export const PRICES: PriceTable = prices;
