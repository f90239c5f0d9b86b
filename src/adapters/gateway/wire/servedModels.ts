/** The models that a server lists, and what it states of them. */
import { type ListedModels, listedModels } from '../../../core/money/price/listedModels.ts';
import { parseJson } from '../../../core/text/json.ts';
import type { ModelReply } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { type AutonomousError, failure } from '../../../shared/errors.ts';
import type { Wire } from '../../../shared/model/connections.ts';
import { explanationIn } from '../send/refusals.ts';
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
export async function servedModels(host: ModelHost, wire: Wire, signal: AbortSignal): Promise<ListedModels | null> {
  const path = PATHS[wire];
  if (path === null) return null;
  const reply = await host.send(path, { method: 'GET', headers: {}, body: null }, signal);
  const text = await new Response(reply.body).text();
  if (NO_LIST.includes(reply.status)) return null;
  const list = reply.status === 200 && text.length <= MAX_BYTES ? listedModels(parseJson(text)) : null;
  if (list === null) throw refusalOf(reply, text);
  return list;
}

/** Whether the server lists its models without a key, so that its list says nothing about the key. */
export async function isPublic(host: ModelHost, wire: Wire, signal: AbortSignal): Promise<boolean> {
  const path = PATHS[wire];
  if (path === null) return false;
  const reply = await host.send(path, { method: 'GET', headers: {}, body: null, isKeyless: true }, signal);
  await reply.body.cancel();
  return reply.status === 200;
}

function refusalOf({ status, headers }: ModelReply, text: string): AutonomousError {
  const location = headers['location'] ?? '';
  if (status >= 300 && status < 400 && URL.canParse(location)) {
    return unlisted(`the server redirects to ${new URL(location).host}, which would receive the key`);
  }
  if (status === 200) return unlisted('the server answered the request for its models with something else');
  const said = `HTTP ${status}: ${explanationIn(text)}`;
  if (status === 401)
    return failure('KEY_REFUSED', `the server refused the key (${said})`, { hint: 'Set another key.' });
  if (status === 403) {
    return failure('KEY_REFUSED', `the server refused to list its models (${said})`, {
      hint: 'The key may lack a permission, or the server wants a header of the connection (--header).',
      details: { status },
    });
  }
  return unlisted(`the server answered the request for its models with ${said}`);
}

const unlisted = (message: string): AutonomousError =>
  failure('MODEL_UNAVAILABLE', message, { hint: 'Is the address right? Change it by --base-url.' });

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
