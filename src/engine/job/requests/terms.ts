/** Adds to the options of a job what the models of the user's connections cost at present. */
import { LEAST_CONTEXT } from '../../../core/model/modelCheck.ts';
import { isOwnConnection, splitModel } from '../../../core/model/modelName.ts';
import { modelsOfJob } from '../../../core/money/price/jobModels.ts';
import { termsOf, termsOfJob } from '../../../core/money/price/terms.ts';
import { DEFAULT_UNPRICED, isPriced } from '../../../core/money/price/unpriced.ts';
import { failure } from '../../../shared/errors.ts';
import type { JobOptions } from '../../../shared/job/rows.ts';
import type { Connections } from '../../../shared/model/connections.ts';
import type { ProviderName } from '../../../shared/model/models.ts';
import type { Terms } from '../../../shared/model/terms.ts';

export interface TermsPorts {
  /** The user's connections, as they are now. */
  connections(): Connections;
  /** Tokens that a server on this machine reads of a prompt to the model at present; null if it is not known. Never rejects. */
  loadedContext(model: string): Promise<number | null>;
}

/**
 * A job with a model without a price gets limits of calls and tokens. The catalogue of prices is loaded only if it is needed. Throws
 * INVALID_INPUT for a model whose context is stated to be too small.
 */
export async function withTerms(options: JobOptions, { connections, loadedContext }: TermsPorts): Promise<JobOptions> {
  const { provider } = options;
  const isOwn = (name: string): boolean => isOwnConnection(splitModel(name, provider).connection);
  const own = modelsOfJob(options).filter(isOwn);
  if (own.length === 0) return options;
  const { CATALOGUE } = await import('../../../core/money/price/catalogue.ts');
  const stated = termsOfJob(options, connections(), CATALOGUE);
  refuseSmall(stated);
  const terms = await withContexts(stated, loadedContext);
  // A model of a connection that is not there yet has no price either.
  const isLimited = options.unpricedLimits !== undefined || own.every((name) => terms[name]?.tiers != null);
  return { ...options, terms, ...(isLimited ? {} : { unpricedLimits: DEFAULT_UNPRICED }) };
}

function refuseSmall(terms: Terms): void {
  const small = Object.entries(terms).find(([, { window }]) => window !== null && window < LEAST_CONTEXT);
  if (small === undefined) return;
  const [name, { window }] = small;
  throw failure('INVALID_INPUT', `${name} has a context of ${window} tokens; ${LEAST_CONTEXT} are needed`, {
    hint: 'Choose another model, or correct its window in connections.yaml.',
  });
}

/** A server on this machine reads what it was started with, whatever the model could read. */
async function withContexts(terms: Terms, loadedContext: TermsPorts['loadedContext']): Promise<Terms> {
  const loaded = await Promise.all(
    Object.entries(terms).map(async ([name, one]) => {
      const tokens = await loadedContext(name);
      return [name, tokens === null ? one : { ...one, window: Math.min(tokens, one.window ?? tokens) }] as const;
    }),
  );
  return Object.fromEntries(loaded);
}

/** Whether the model has a price at present. `name`: as a definition has it, without the effort. Null for the provider's default. */
export async function isPricedNow(
  name: string | null,
  provider: ProviderName,
  connections: () => Connections,
): Promise<boolean> {
  const { connection: of, model } = splitModel(name ?? '', provider);
  if (!isOwnConnection(of)) return isPriced(of);
  const connection = connections()[of];
  // An unknown connection is refused when it is called.
  if (connection === undefined) return false;
  const { CATALOGUE } = await import('../../../core/money/price/catalogue.ts');
  return termsOf(connection, model, CATALOGUE).tiers !== null;
}
