/** Which price and which context window apply to a model of a connection: the user's own, the built-in ones, the catalogue's. */
import type { JobOptions } from '../../../shared/job/rows.ts';
import type { Connection, Connections } from '../../../shared/model/connections.ts';
import type { ConnectionName } from '../../../shared/model/models.ts';
import type { ModelTerms, PriceTier, Terms } from '../../../shared/model/terms.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { LEAST_CONTEXT } from '../../model/modelCheck.ts';
import { isOwnConnection, splitModel } from '../../model/modelName.ts';
import { modelsOfJob } from './jobModels.ts';
import { PRICES } from './prices.ts';
import { hasPrice, type PriceTable } from './pricing.ts';
import { isPriced } from './unpriced.ts';

/** Prices that the makers and sellers of models published, as `scripts/catalogue.mjs` writes them. */
export interface Catalogue {
  readonly source: string;
  readonly date: string;
  /** By provider and name; a tier is `[upTo, input, output, cacheRead, cacheWrite?]`. */
  readonly models: Readonly<Record<string, Readonly<Record<string, CatalogueEntry>>>>;
}

interface CatalogueEntry {
  readonly window: number | null;
  readonly tiers: readonly (readonly (number | null)[])[];
}

const FREE: readonly PriceTier[] = [{ upTo: null, input: 0, output: 0, cacheRead: 0 }];

/** Terms of a model of a connection. `model`: as its server knows it. */
export function termsOf(connection: Connection, model: string, catalogue: Catalogue): ModelTerms {
  const entry = connection.catalogue.map((provider) => named(catalogue.models[provider] ?? {}, model)).find(isGiven);
  const listed = named(connection.listed?.models ?? {}, model);
  const stated = listed?.window ?? 0;
  // A list that states less than any work needs is not believed.
  const known =
    (stated >= LEAST_CONTEXT ? stated : null) ?? named(PRICES.windows ?? {}, model) ?? entry?.window ?? null;
  const window = named(connection.windows, model) ?? known;
  const own = named(connection.prices, model);
  const source = 'your connections.yaml';
  if (own !== undefined) return { tiers: own, window, source };
  if (connection.free) return { tiers: FREE, window, source };
  // What the seller itself states, for its own connection.
  if (listed?.tiers != null) {
    return { tiers: listed.tiers, window, source: `${connection.name}, ${connection.listed?.day ?? ''}` };
  }
  const builtIn = named(PRICES.models, model);
  if (builtIn !== undefined) {
    return inRegion(connection, { tiers: builtIn, window, source: `Autonomous ${PRICES.version}` });
  }
  if (entry === undefined) return { tiers: null, window, source: 'no price is known' };
  const tiers = entry.tiers.map(tierOf);
  return inRegion(connection, { tiers, window, source: `${catalogue.source}, ${catalogue.date}` });
}

/** Each location of Vertex AI but the global one costs a tenth more than the listed price. */
const REGIONAL = 1.1;

function inRegion({ wire, baseUrl }: Connection, terms: ModelTerms): ModelTerms {
  if (wire !== 'vertex' || baseUrl.endsWith('/locations/global')) return terms;
  const more = (rate: number): number => Math.round(rate * REGIONAL * 1e6) / 1e6;
  const tiers = terms.tiers?.map(({ upTo, input, output, cacheRead, cacheWrite }) => ({
    upTo,
    input: more(input),
    output: more(output),
    cacheRead: more(cacheRead),
    ...(cacheWrite === undefined ? {} : { cacheWrite: more(cacheWrite) }),
  }));
  return { ...terms, tiers: tiers ?? null, source: `${terms.source}, and a tenth for the region` };
}

const isGiven = <T>(value: T | undefined): value is T => value !== undefined;

const named = <T>(entries: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(entries, name) ? entries[name] : undefined;

function tierOf([upTo = null, input, output, cacheRead, cacheWrite]: readonly (number | null)[]): PriceTier {
  const rate = (value: number | null | undefined): number => value ?? Number.NaN;
  return {
    upTo,
    input: rate(input),
    output: rate(output),
    cacheRead: rate(cacheRead),
    ...(cacheWrite == null ? {} : { cacheWrite }),
  };
}

/** Terms of the job's models of the user's connections. A model of an unknown connection has none. */
export function termsOfJob(options: JobOptions, connections: Connections, catalogue: Catalogue): Terms {
  const named = modelsOfJob(options).flatMap((name) => {
    const { connection, model } = splitModel(name, options.provider);
    const known = isOwnConnection(connection) ? connections[connection] : undefined;
    return known === undefined ? [] : [[name, termsOf(known, model, catalogue)] as const];
  });
  return Object.fromEntries(named);
}

/** The table, and the prices of these terms. */
export function pricesWith(terms: Terms | undefined, base: PriceTable = PRICES): PriceTable {
  if (terms === undefined) return base;
  const of = Object.entries(terms);
  const models = of.flatMap(([name, { tiers }]) => (tiers === null ? [] : [[name, tiers] as const]));
  const windows = of.flatMap(([name, { window }]) => (window === null ? [] : [[name, window] as const]));
  return {
    version: `${base.version}+connections`,
    models: { ...base.models, ...Object.fromEntries(models) },
    windows: { ...base.windows, ...Object.fromEntries(windows) },
  };
}

/** Whether a call has a price, or can have none. A built-in provider's model that lacks its price has no substitute: it is refused. */
export const isPricedCall = (connection: ConnectionName, model: string, prices: PriceTable): boolean =>
  isPriced(connection) && (!isOwnConnection(connection) || hasPrice(prices, model));

/** Whether calls of the model in the job have a price. */
export function isPricedModel({ provider, terms }: Pick<JobOptions, 'provider' | 'terms'>, model: string): boolean {
  return isPricedCall(splitModel(model, provider).connection, model, pricesWith(terms));
}

/** The prices that calls of a job were booked at. */
export const pricesOfJobs =
  ({ jobs }: Pick<State, 'jobs'>) =>
  (jobId: string | null): PriceTable =>
    pricesWith(jobId === null ? undefined : jobs.get(jobId)?.options.terms);
