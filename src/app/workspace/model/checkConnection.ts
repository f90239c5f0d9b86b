/** Checks a connection, or one model of it, without a billed call. */

import { listedWithin } from '../../../adapters/gateway/wire/servedModels.ts';
import { bad, good } from '../../../adapters/shell/diagnostic.ts';
import { keptChecks } from '../../../adapters/userData/modelChecks.ts';
import { LEAST_CONTEXT } from '../../../core/model/modelCheck.ts';
import { splitModel } from '../../../core/model/modelName.ts';
import { termsOf } from '../../../core/money/price/terms.ts';
import type { Provider } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Diagnostic } from '../../../shared/diagnostic.ts';
import { asFailure, failure } from '../../../shared/errors.ts';
import { type Connection, faultOf, type ListedModel } from '../../../shared/model/connections.ts';
import type { ConnectionBook } from '../../open/model/connections.ts';
import type { ReadOnlyWorkspace } from '../../open/readOnlyWorkspace.ts';
import { knownTerms } from './listedConnections.ts';

/** `name`: of the connection, or of a model with its connection. */
export async function checkConnection(
  { places, clock }: ReadOnlyWorkspace,
  book: ConnectionBook | undefined,
  name: string,
): Promise<readonly Diagnostic[]> {
  const { connection: of, model } = name.includes('/')
    ? splitModel(name, 'anthropic')
    : { connection: name, model: '' };
  const { connection, provider } = foundConnection(book, of);
  const problems = (await provider.check?.(model === '' ? [] : [model])) ?? [];
  const [key] = problems.filter(({ code }) => code.startsWith('KEY_'));
  const [lacks] = problems.filter(({ code }) => code === 'MODEL_NOT_CHOSEN');
  const [down] = problems.filter(({ code }) => code === 'MODEL_UNAVAILABLE');
  const checks = [
    key === undefined ? good('key', keyText(connection)) : bad('key', key.message, key.hint),
    ...(key !== undefined
      ? []
      : [down === undefined ? good('server', connection.baseUrl) : bad('server', down.message, down.hint)]),
  ];
  if (lacks !== undefined) return [...checks, bad('model', lacks.message, lacks.hint)];
  if (problems.length > 0) return checks;
  const refused = await refusedKey(provider, clock);
  if (refused !== null) return [refused, ...checks.slice(1)];
  if (model === '') return checks;
  return [
    ...checks,
    await priceOf(connection, model),
    await contextOf(provider, model),
    await toolsOf(provider, model, keptChecks(places.configDir, clock)),
  ];
}

/** Throws NOT_FOUND. */
export function foundConnection(
  book: ConnectionBook | undefined,
  name: string,
): { connection: Connection; provider: Provider } {
  const { connections, faults } = book?.known() ?? { connections: {}, faults: [] };
  const connection = Object.hasOwn(connections, name) ? connections[name] : undefined;
  if (book !== undefined && connection !== undefined) return { connection, provider: book.provider(name) };
  const fault = faultOf(faults, name);
  throw failure('NOT_FOUND', `there is no connection named ${name}${fault === undefined ? '' : `; ${fault}`}`, {
    hint: fault === undefined ? `Add it: autonomous models add ${name}` : '',
  });
}

/** The models that the server lists, or else those that the catalogue or the entry names. */
export async function listedModels(
  { places, clock }: ReadOnlyWorkspace,
  book: ConnectionBook | undefined,
  name: string,
): Promise<readonly ListedModel[]> {
  const { connection, provider } = foundConnection(book, name);
  const { CATALOGUE } = await import('../../../core/money/price/catalogue.ts');
  const { checks } = provider;
  const served = checks === undefined ? null : await listedWithin(clock, (signal) => checks.models(signal));
  const kept = keptChecks(places.configDir, clock);
  const names = served ?? Object.keys(await knownTerms(connection));
  return Promise.all(
    names.map(async (model) => ({
      name: `${name}/${model}`,
      terms: termsOf(connection, model, CATALOGUE),
      isChecked: checks !== undefined && (await kept.find(checks.key(model))) !== null,
    })),
  );
}

const keyText = ({ auth, baseUrl }: Connection): string =>
  auth === 'none' ? 'not needed' : `sent as ${auth} to ${new URL(baseUrl).host}`;

/** Lists the models with the key, which is free, to see whether the server takes it. */
async function refusedKey({ checks }: Provider, clock: Clock): Promise<Diagnostic | null> {
  try {
    if (checks !== undefined) await listedWithin(clock, (signal) => checks.models(signal));
    return null;
  } catch (thrown) {
    const { code, message, hint } = asFailure(thrown);
    return code.startsWith('KEY_') ? bad('key', message, hint) : null;
  }
}

async function priceOf(connection: Connection, model: string): Promise<Diagnostic> {
  const { CATALOGUE } = await import('../../../core/money/price/catalogue.ts');
  const { tiers, source } = termsOf(connection, model, CATALOGUE);
  const [first] = tiers ?? [];
  if (first === undefined) return good('price', 'none is known: a job with this model has limits of calls and tokens');
  return good('price', `$${first.input} for a million tokens of input, $${first.output} of output (${source})`);
}

async function contextOf({ checks }: Provider, model: string): Promise<Diagnostic> {
  const context = await checks?.context(model, new AbortController().signal);
  if (context?.tokens == null) return good('context', 'the server states none');
  const text = `${context.tokens} tokens`;
  return context.tokens < LEAST_CONTEXT
    ? bad('context', `${text}; ${LEAST_CONTEXT} are needed`, context.fix)
    : good('context', text);
}

async function toolsOf({ checks }: Provider, model: string, kept: ReturnType<typeof keptChecks>): Promise<Diagnostic> {
  const isKnown = checks !== undefined && (await kept.find(checks.key(model))) !== null;
  return good(
    'tools',
    isKnown ? 'the model called a tool within the last day' : 'checked by one call when a job begins',
  );
}
