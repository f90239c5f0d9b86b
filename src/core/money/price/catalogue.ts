/** The catalogue of prices, from assets/catalogue.json. A file of its own, because it is loaded only for the user's connections. */
import catalogue from '../../../../assets/catalogue.json' with { type: 'json' };
import type { Catalogue } from './terms.ts';

export const CATALOGUE: Catalogue = catalogue;
