/** The models that a server lists, and what it states of them. */
import { type ListedModels, listedModels } from '../../../core/money/price/listedModels.ts';
import { parseJson } from '../../../core/text/json.ts';
import type { Clock } from '../../../shared/clock.ts';
import { failure } from '../../../shared/errors.ts';
import type { Wire } from '../../../shared/model/connections.ts';
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

/** Null if the server lists none. Throws KEY_REFUSED, and what `ModelHost.send` throws. */
export async function servedModels(host: ModelHost, wire: Wire, signal: AbortSignal): Promise<ListedModels | null> {
  const path = PATHS[wire];
  if (path === null) return null;
  const reply = await host.send(path, { method: 'GET', headers: {}, body: null }, signal);
  const text = await new Response(reply.body).text();
  if (reply.status === 401 || reply.status === 403)
    throw failure('KEY_REFUSED', `the server refused the key (HTTP ${reply.status})`, { hint: 'Set another key.' });
  if (reply.status !== 200 || text.length > MAX_BYTES) return null;
  return listedModels(parseJson(text));
}

/** Whether the list has the model. Local servers add a tag that a person leaves out. */
export const isServed = (models: readonly string[], model: string): boolean =>
  models.some((name) => name === model || name === `${model}:latest`);

const LIST_MS = 10_000;

/** The list within ten seconds. */
export async function listedWithin<T>(
  clock: Pick<Clock, 'timer'>,
  list: (signal: AbortSignal) => Promise<T | null>,
): Promise<T | null> {
  const limit = new AbortController();
  const cancel = clock.timer(LIST_MS, () => limit.abort());
  try {
    return await list(limit.signal);
  } finally {
    cancel();
  }
}
