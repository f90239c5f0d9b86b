/** Checks a connection, or one model of it, without a billed call. */
import { notServed } from '../../../adapters/gateway/wire/connectionProvider.ts';
import { isServed, listedWithin } from '../../../adapters/gateway/wire/servedModels.ts';
import { bad, good, unknown } from '../../../adapters/shell/diagnostic.ts';
import { keptChecks } from '../../../adapters/userData/modelChecks.ts';
import { awsService } from '../../../core/model/connection/awsCredentials.ts';
import { LEAST_CONTEXT } from '../../../core/model/modelCheck.ts';
import { splitModel } from '../../../core/model/modelName.ts';
import type { ListedModels } from '../../../core/money/price/listedModels.ts';
import { termsOf } from '../../../core/money/price/terms.ts';
import { nearestName } from '../../../core/text/nearest/nearestName.ts';
import type { ModelChecks, Provider } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Diagnostic } from '../../../shared/diagnostic.ts';
import { asFailure, failure } from '../../../shared/errors.ts';
import type { Connection } from '../../../shared/model/connections.ts';
import type { ConnectionBook } from '../../open/model/connections.ts';
import type { ReadOnlyWorkspace } from '../../open/readOnlyWorkspace.ts';
import { foundConnection } from './foundConnection.ts';

/** `name`: of the connection, or of a model with its connection. Throws NOT_FOUND, INVALID_INPUT for a half name. */
export async function checkConnection(
  { places, clock }: ReadOnlyWorkspace,
  book: ConnectionBook | undefined,
  name: string,
): Promise<readonly Diagnostic[]> {
  if (/^\/|\/$/.test(name)) throw failure('INVALID_INPUT', `${name} is not the name of a model: CONNECTION/MODEL`);
  const { connection: of, model } = name.includes('/')
    ? splitModel(name, 'anthropic')
    : { connection: name, model: '' };
  const { connection, provider } = foundConnection(book, of);
  const problems = (await provider.check?.([])) ?? [];
  const [key] = problems.filter(({ code }) => code.startsWith('KEY_'));
  if (key !== undefined) return [bad('key', key.message, key.hint)];
  const [down] = problems;
  if (down !== undefined) {
    return [unconfirmed(connection, 'it was not sent'), bad('server', down.message, down.hint)];
  }
  const { found, list } = await checkServer(connection, provider, clock);
  if (model === '' || found.some(({ ok }) => !ok)) return found;
  const listed = listedModel(connection, provider, list, model);
  if (listed.some(({ ok }) => !ok)) return [...found, ...listed];
  return [
    ...found,
    ...listed,
    await priceOf(connection, model, list),
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
  readonly list: ListedModels | null;
}

/** Lists the models with the key, which is free. */
async function checkServer(connection: Connection, { checks }: Provider, clock: Clock): Promise<CheckedServer> {
  const { name, baseUrl, wire } = connection;
  const server = good('server', baseUrl);
  const later = (why: string): Diagnostic => unconfirmed(connection, `${why}, so the first call shows it`);
  try {
    const list = checks === undefined ? null : await listedWithin(clock, (signal) => checks.models(signal));
    if (list !== null && checks !== undefined) {
      return { found: [await keyOf(connection, checks, clock, later), server], list };
    }
    const key = later('the server has no list of its models');
    if (wire === 'vertex') return { found: [key, server], list: null };
    const fix = `If the first call fails, change it: autonomous models add ${name} --base-url URL`;
    return { found: [key, unknown('server', `${baseUrl} answers, but has no list of models`, fix)], list: null };
  } catch (thrown) {
    const { code, message, hint, details } = asFailure(thrown);
    // There, a key may call models that it may not list.
    const isOnlyList = details['status'] === 403 && awsService(new URL(baseUrl).hostname) !== null;
    if (isOnlyList) return { found: [later(message), server], list: null };
    if (code.startsWith('KEY_')) return { found: [bad('key', message, hint), server], list: null };
    return {
      found: [unconfirmed(connection, 'the server did not judge it'), bad('server', message, hint)],
      list: null,
    };
  }
}

/** The list was answered; that confirms the key only if it is refused without one. */
async function keyOf(
  connection: Connection,
  checks: ModelChecks,
  clock: Clock,
  later: (why: string) => Diagnostic,
): Promise<Diagnostic> {
  if (connection.auth === 'none') return good('key', keyText(connection));
  const isNeeded = await listedWithin(clock, (signal) => checks.needsKey(signal)).catch(() => null);
  if (isNeeded === true) return good('key', `${keyText(connection)}, which accepts it`);
  return later(
    isNeeded === false ? 'the server lists its models without one' : 'the server does not show whether it needs one',
  );
}

/** A local server has what it lists; a list of another one may leave models out, so what it lacks is only reported. */
function listedModel(
  connection: Connection,
  { checks }: Provider,
  list: ListedModels | null,
  model: string,
): Diagnostic[] {
  const { name, wire } = connection;
  if (list === null) return wire === 'vertex' ? [] : [unknown('model', 'the server has no list of its models')];
  const models = Object.keys(list);
  if (isServed(models, model)) return [good('model', 'the server lists it')];
  const near = nearestName(model, models);
  const meant = near === null ? '' : `Did you mean ${name}/${near}?`;
  const [lacks] = checks?.isLocal === true ? notServed(connection, models, [model]) : [];
  return [
    lacks === undefined
      ? unknown('model', 'the server does not list it', meant)
      : bad('model', lacks.message, lacks.hint),
  ];
}

async function priceOf(connection: Connection, model: string, list: ListedModels | null): Promise<Diagnostic> {
  const { CATALOGUE } = await import('../../../core/money/price/catalogue.ts');
  const { tiers, source } = termsOf(connection, model, CATALOGUE);
  const [first] = tiers ?? [];
  if (first !== undefined) {
    return good('price', `$${first.input} for a million tokens of input, $${first.output} of output (${source})`);
  }
  const none = 'none is known: a job with this model has limits of calls and tokens';
  const isStated = list?.[model]?.tiers != null;
  return isStated
    ? unknown('price', none, `The server lists one: autonomous models refresh ${connection.name}`)
    : good('price', none);
}

/** What the server has loaded, or else what the user, its list or the catalogue states. */
async function contextOf(connection: Connection, { checks }: Provider, model: string): Promise<Diagnostic> {
  const loaded = await checks?.context(model, new AbortController().signal);
  const { CATALOGUE } = await import('../../../core/money/price/catalogue.ts');
  const tokens = loaded?.tokens ?? termsOf(connection, model, CATALOGUE).window;
  const state = `autonomous models add ${connection.name} --window "${model}=TOKENS"`;
  if (tokens === null) {
    const few = connection.listed?.models[model]?.window;
    if (few != null)
      return unknown('context', `the server states ${few} tokens, which no work fits in`, `If it has more: ${state}`);
    return checks?.isLocal === true
      ? unknown('context', 'not known until the server has loaded the model; the first call of a job checks it')
      : unknown('context', 'not known', `State it: ${state}`);
  }
  const text = loaded?.tokens == null ? `${tokens} tokens, as stated` : `${tokens} tokens`;
  if (tokens >= LEAST_CONTEXT) return good('context', text);
  const fix = loaded?.tokens == null ? `If it has more: ${state}` : loaded.fix;
  return bad('context', `${text}; ${LEAST_CONTEXT} are needed`, fix);
}

async function toolsOf({ checks }: Provider, model: string, kept: ReturnType<typeof keptChecks>): Promise<Diagnostic> {
  const isKnown = checks !== undefined && (await kept.find(checks.key(model))) !== null;
  return isKnown
    ? good('tools', 'the model called a tool within the last day')
    : unknown('tools', 'checked by one call when a job begins');
}
