/** Checks a connection, or one model of it, without a billed call. */

import { isServed, listedWithin } from '../../../adapters/gateway/wire/servedModels.ts';
import { bad, good, unknown } from '../../../adapters/shell/diagnostic.ts';
import { keptChecks } from '../../../adapters/userData/modelChecks.ts';
import { awsService } from '../../../core/model/connection/awsCredentials.ts';
import { LEAST_CONTEXT } from '../../../core/model/modelCheck.ts';
import { splitModel } from '../../../core/model/modelName.ts';
import { termsOf } from '../../../core/money/price/terms.ts';
import { nearestName } from '../../../core/text/nearest/nearestName.ts';
import type { Provider } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Diagnostic } from '../../../shared/diagnostic.ts';
import { asFailure } from '../../../shared/errors.ts';
import type { Connection } from '../../../shared/model/connections.ts';
import type { ConnectionBook } from '../../open/model/connections.ts';
import type { ReadOnlyWorkspace } from '../../open/readOnlyWorkspace.ts';
import { foundConnection } from './foundConnection.ts';

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
  if (key !== undefined) return [bad('key', key.message, key.hint)];
  const [down] = problems.filter(({ code }) => code === 'MODEL_UNAVAILABLE');
  if (down !== undefined) {
    return [unconfirmed(connection, 'it was not sent'), bad('server', down.message, down.hint)];
  }
  const server = await checkServer(connection, provider, clock);
  const [lacks] = problems.filter(({ code }) => code === 'MODEL_NOT_CHOSEN');
  if (lacks !== undefined) return [...server.found, bad('model', lacks.message, lacks.hint)];
  if (model === '' || server.found.some(({ ok }) => !ok)) return server.found;
  return [
    ...server.found,
    ...listedModel(connection, server.models, model),
    await priceOf(connection, model),
    await contextOf(connection, provider, model),
    await toolsOf(provider, model, keptChecks(places.configDir, clock)),
  ];
}

const keyText = ({ auth, baseUrl }: Connection): string =>
  auth === 'none' ? 'not needed' : `sent as ${auth} to ${new URL(baseUrl).host}`;

const unconfirmed = (connection: Connection, why: string): Diagnostic =>
  connection.auth === 'none'
    ? good('key', keyText(connection))
    : unknown('key', `${keyText(connection)}; not confirmed: ${why}`);

interface CheckedServer {
  readonly found: readonly Diagnostic[];
  /** Null: it lists none. */
  readonly models: readonly string[] | null;
}

/** Lists the models with the key, which is free. */
async function checkServer(connection: Connection, { checks }: Provider, clock: Clock): Promise<CheckedServer> {
  const { baseUrl, auth } = connection;
  const open = (why: string): Diagnostic => unconfirmed(connection, `${why}, so the first call shows it`);
  try {
    const list = checks === undefined ? null : await listedWithin(clock, (signal) => checks.models(signal));
    if (list === null || checks === undefined) {
      return { found: [open('the server has no list of its models'), good('server', baseUrl)], models: null };
    }
    const isOpen = auth !== 'none' && (await listedWithin(clock, (signal) => checks.isPublic(signal)));
    const accepted = auth === 'none' ? keyText(connection) : `${keyText(connection)}, which accepts it`;
    const key = isOpen ? open('the server lists its models without one') : good('key', accepted);
    return { found: [key, good('server', baseUrl)], models: Object.keys(list) };
  } catch (thrown) {
    const { code, message, hint, details } = asFailure(thrown);
    // There, a key may call models that it may not list.
    const isOnlyList = details['status'] === 403 && awsService(new URL(baseUrl).hostname) !== null;
    if (isOnlyList) return { found: [open(message), good('server', baseUrl)], models: null };
    if (code.startsWith('KEY_')) return { found: [bad('key', message, hint), good('server', baseUrl)], models: null };
    return {
      found: [unconfirmed(connection, 'the server did not judge it'), bad('server', message, hint)],
      models: null,
    };
  }
}

/** A list may leave models out, so what it lacks is only reported. */
function listedModel({ name }: Connection, models: readonly string[] | null, model: string): Diagnostic[] {
  if (models === null) return [];
  if (isServed(models, model)) return [good('model', 'the server lists it')];
  const near = nearestName(model, models);
  return [unknown('model', 'the server does not list it', near === null ? '' : `Did you mean ${name}/${near}?`)];
}

async function priceOf(connection: Connection, model: string): Promise<Diagnostic> {
  const { CATALOGUE } = await import('../../../core/money/price/catalogue.ts');
  const { tiers, source } = termsOf(connection, model, CATALOGUE);
  const [first] = tiers ?? [];
  if (first === undefined) return good('price', 'none is known: a job with this model has limits of calls and tokens');
  return good('price', `$${first.input} for a million tokens of input, $${first.output} of output (${source})`);
}

/** What the server has loaded, or else what the user, its list or the catalogue states. */
async function contextOf(connection: Connection, { checks }: Provider, model: string): Promise<Diagnostic> {
  const loaded = await checks?.context(model, new AbortController().signal);
  const { CATALOGUE } = await import('../../../core/money/price/catalogue.ts');
  const tokens = loaded?.tokens ?? termsOf(connection, model, CATALOGUE).window;
  if (tokens === null) {
    return checks?.isLocal === true
      ? unknown('context', 'not known until the server has loaded the model; the first call of a job checks it')
      : unknown(
          'context',
          'not known',
          `State it: autonomous models add ${connection.name} --window "${model}=TOKENS"`,
        );
  }
  const text = loaded?.tokens == null ? `${tokens} tokens, as stated` : `${tokens} tokens`;
  if (tokens >= LEAST_CONTEXT) return good('context', text);
  const stated = `autonomous models add ${connection.name} --window "${model}=TOKENS"`;
  const fix = loaded?.tokens == null ? `If it has more: ${stated}` : loaded.fix;
  return bad('context', `${text}; ${LEAST_CONTEXT} are needed`, fix);
}

async function toolsOf({ checks }: Provider, model: string, kept: ReturnType<typeof keptChecks>): Promise<Diagnostic> {
  const isKnown = checks !== undefined && (await kept.find(checks.key(model))) !== null;
  return isKnown
    ? good('tools', 'the model called a tool within the last day')
    : unknown('tools', 'checked by one call when a job begins');
}
