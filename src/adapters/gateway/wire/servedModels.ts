/** The models that a server lists, and what it states of them. */
import { type ListedModels, listedModels } from '../../../core/money/price/listedModels.ts';
import { parseJson } from '../../../core/text/json.ts';
import type { ModelReply } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { type AutonomousError, failure } from '../../../shared/errors.ts';
import { type Connection, keyVariables, type Wire } from '../../../shared/model/connections.ts';
import { explanationIn } from '../send/refusals.ts';
import { textWithin } from './boundedText.ts';
import type { ModelHost } from './modelHost.ts';

/** Null: the protocol has no list. */
const PATHS: Readonly<Record<Wire, string | null>> = {
  messages: '/v1/models',
  chat: '/models',
  responses: '/models',
  gemini: '/models?pageSize=1000',
  vertex: null,
};

const MAX_BYTES = 8 * 1024 * 1024;

/** Statuses of a server without a list. */
const NO_LIST: readonly number[] = [404, 405, 501];

/** Null if the server has no list. Throws KEY_REFUSED, MODEL_UNAVAILABLE for any other answer, and what `ModelHost.send` throws. */
export async function servedModels(
  host: ModelHost,
  connection: Connection,
  signal: AbortSignal,
): Promise<ListedModels | null> {
  const path = PATHS[connection.wire];
  if (path === null) return null;
  const reply = await host.send(path, { method: 'GET', headers: {}, body: null }, signal);
  const text = await textWithin(reply.body, MAX_BYTES, signal);
  if (NO_LIST.includes(reply.status)) return null;
  const list = reply.status === 200 && text !== null ? listedModels(parseJson(text)) : null;
  if (list === null) throw refusalOf(connection, reply, text);
  return list;
}

/** Whether the server lists its models only with the key, so that its list confirms the key. Null if it does not show that. */
export async function needsKey(host: ModelHost, wire: Wire, signal: AbortSignal): Promise<boolean | null> {
  const path = PATHS[wire];
  if (path === null) return null;
  const reply = await host.send(path, { method: 'GET', headers: {}, body: null, isKeyless: true }, signal);
  await reply.body.cancel();
  if (reply.status === 401 || reply.status === 403) return true;
  return reply.status === 200 ? false : null;
}

function refusalOf(connection: Connection, { status, headers }: ModelReply, text: string | null): AutonomousError {
  const change = `autonomous models add ${connection.name}`;
  const address = `Is the address right? To change it: ${change} --base-url URL`;
  const unlisted = (message: string, hint: string) => failure('MODEL_UNAVAILABLE', message, { hint });
  const { location = '' } = headers;
  if (status >= 300 && status < 400 && URL.canParse(location, connection.baseUrl)) {
    const { origin, pathname } = new URL(location, connection.baseUrl);
    return unlisted(`the server redirects to ${origin}${pathname}, and redirects are not followed`, address);
  }
  if (status === 200) {
    const what = text === null ? 'more than 8 MiB' : 'something else';
    return unlisted(`the server answered the request for its models with ${what}`, address);
  }
  const said = `HTTP ${status}: ${explanationIn(text ?? '')}`;
  if (status === 401) return keyRefused(connection, said, change);
  if (status === 403) {
    return failure('KEY_REFUSED', `the server refused to list its models (${said})`, {
      hint: `The key may lack a permission, or the server wants a header: ${change} --header "Name: value"`,
      details: { status },
    });
  }
  const isPassing = status === 408 || status === 429 || status >= 500;
  const hint = isPassing ? 'That may pass: try again. If it stays, ask who runs the server.' : address;
  return unlisted(`the server answered the request for its models with ${said}`, hint);
}

function keyRefused(connection: Connection, said: string, change: string): AutonomousError {
  const { auth, keyCommand } = connection;
  if (auth === 'none') {
    return failure('KEY_REFUSED', `the server wants a key (${said})`, {
      hint: `Name the variable that holds it: ${change} --auth bearer --key-env VARIABLE`,
    });
  }
  const variables = keyVariables(connection).map((variable) => `${variable}=KEY`);
  const inTerminal =
    variables.length > 0 ? `export ${variables.join(' ')}` : `${change} --key-env VARIABLE, or --key-command COMMAND`;
  return failure('KEY_REFUSED', `the server refused the key (${said})`, {
    hint:
      keyCommand === null ? `Set another key: ${inTerminal}` : 'Its key is what keyCommand prints: run that command.',
  });
}

/** Whether the list has the model. Local servers add a tag that a person leaves out. */
export const isServed = (models: readonly string[], model: string): boolean =>
  models.some((name) => name === model || name === `${model}:latest`);

const LIST_MS = 10_000;

/** What `list` resolves with, if it does so within ten seconds. Throws MODEL_UNAVAILABLE otherwise. */
export async function listedWithin<T>(
  clock: Pick<Clock, 'timer'>,
  list: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const cancel = clock.timer(LIST_MS, () => limit.abort());
  try {
    return await list(limit.signal);
  } catch (thrown) {
    if (!limit.signal.aborted) throw thrown;
    throw failure('MODEL_UNAVAILABLE', `the server did not list its models within ${LIST_MS / 1_000} s`);
  } finally {
    cancel();
  }
}
