/** The models that a server lists. */
import { z } from 'zod';
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

const List = z
  .object({ data: z.array(z.looseObject({ id: z.string() })) })
  .transform(({ data }) => data.map(({ id }) => id));
const GeminiList = z
  .object({ models: z.array(z.looseObject({ name: z.string() })) })
  .transform(({ models }) => models.map(({ name }) => name.replace(/^models\//, '')));
const MAX_BYTES = 8 * 1024 * 1024;

/** Null if the server lists none. Throws KEY_REFUSED, and what `ModelHost.send` throws. */
export async function servedModels(
  host: ModelHost,
  wire: Wire,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const path = PATHS[wire];
  if (path === null) return null;
  const reply = await host.send(path, { method: 'GET', headers: {}, body: null }, signal);
  const text = await new Response(reply.body).text();
  if (reply.status === 401 || reply.status === 403)
    throw failure('KEY_REFUSED', `the server refused the key (HTTP ${reply.status})`, { hint: 'Set another key.' });
  if (reply.status !== 200 || text.length > MAX_BYTES) return null;
  const parsed = z.union([List, GeminiList]).safeParse(parseJson(text));
  return parsed.success ? parsed.data : null;
}

/** Whether the list has the model. Local servers add a tag that a person leaves out. */
export const isServed = (models: readonly string[], model: string): boolean =>
  models.some((name) => name === model || name === `${model}:latest`);

const LIST_MS = 10_000;

/** The list within ten seconds. */
export async function listedWithin(
  clock: Pick<Clock, 'timer'>,
  list: (signal: AbortSignal) => Promise<readonly string[] | null>,
): Promise<readonly string[] | null> {
  const limit = new AbortController();
  const cancel = clock.timer(LIST_MS, () => limit.abort());
  try {
    return await list(limit.signal);
  } finally {
    cancel();
  }
}
