/**
 * Sends each call as a batch of one request, at half the price and with an answer within a day. The id of a batch is stored, so that
 * a call that is repeated after a crash receives the answer of the batch that was already created.
 */

import { isPassing } from '../../../core/model/backoff.ts';
import { BATCH_FACTOR, BATCH_MS, batchOf, batchResult, batchState, eventsOf } from '../../../core/model/batchAnswer.ts';
import type { ModelReply, ModelRequest, PendingBatches, Provider } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { asFailure, failure, findFailure } from '../../../shared/errors.ts';

const FIRST_LOOK_MS = 5_000;
const MAX_LOOK_MS = 60_000;
const BETA = 'message-batches-2024-09-24';

interface Got {
  readonly reply: ModelReply;
  readonly text: string;
}

interface Batching {
  readonly inner: Provider;
  readonly clock: Clock;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
}

/** `inner` answers the Messages API and its batches. Calls that count tokens are passed on. */
export function batchProvider(inner: Provider, pending: PendingBatches, clock: Clock): Provider {
  /** Batches that answer no further call: a call that is repeated after its answer wants another one. */
  const used = new Set<string>();
  return {
    ...inner,
    priceFactor: BATCH_FACTOR,
    cachesForHour: true,
    answersWithinMs: BATCH_MS,
    async send(request, signal) {
      const batch = request.path.split('?', 1)[0] === '/v1/messages' ? batchOf(request.body) : null;
      if (batch === null) return inner.send(request, signal);
      const batching = { inner, clock, request, signal };
      const call = { sessionId: request.sessionId, prompt: batch.prompt };
      const known = pending.find(call);
      if (known !== null && !used.has(known))
        return replyOf(await billed(() => resultOf(batching, known, used)), batch.streams);
      const created = await ask(batching, 'POST', '', batch.body);
      if (isRefusal(created.status)) return created;
      const result = await billed(async () => {
        const id = created.status === 200 ? (batchState(await textOf(created))?.id ?? null) : null;
        if (id === null) throw unavailable(`the model server created no batch (status ${created.status})`, true);
        await pending.add(call, id);
        return resultOf(batching, id, used);
      });
      return replyOf(result, batch.streams);
    },
  };
}

/** Whether no batch was created. After another status, it may be processed and billed. */
const isRefusal = (status: number): boolean =>
  (status >= 400 && status < 500 && status !== 408) || status === 503 || status === 529;

/** Runs what follows the creation of a batch: whatever fails, the batch may be billed. */
async function billed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const { code, message, hint, details } = asFailure(thrown);
    throw failure(code, message, {
      ...(hint === undefined ? {} : { hint }),
      details: { ...details, sent: true },
      cause: thrown,
    });
  }
}

async function resultOf(batching: Batching, id: string, used: Set<string>): Promise<Got> {
  const gone = (): void => void used.add(id);
  await read(batching, `/${id}`, gone, (text) => batchState(text)?.ended === true);
  const got = await read(batching, `/${id}/results`, gone, () => true);
  used.add(id);
  return got;
}

function ask({ inner, request, signal }: Batching, method: string, below: string, body: string): Promise<ModelReply> {
  const path = request.path.replace('/v1/messages', `/v1/messages/batches${below}`);
  const betas = [request.headers['anthropic-beta'], BETA].filter((one) => one !== undefined).join(',');
  return inner.send(
    { ...request, method, path, body, headers: { ...request.headers, 'anthropic-beta': betas } },
    signal,
  );
}

const textOf = async ({ body }: ModelReply): Promise<string> => new Response(body).text();

/** `sent`: whether the batch may be billed. */
const unavailable = (why: string, sent: boolean) => failure('MODEL_UNAVAILABLE', why, { details: { sent } });

/** Asks until the text is there and accepted. A failure that may pass does not end the wait: the batch continues meanwhile. */
async function read(
  batching: Batching,
  below: string,
  gone: () => void,
  accepts: (text: string) => boolean,
): Promise<Got> {
  for (let ms = FIRST_LOOK_MS; ; ms = Math.min(2 * ms, MAX_LOOK_MS)) {
    const got = await getOrNull(batching, below);
    if (got?.reply.status === 200 && accepts(got.text)) return got;
    const status = got?.reply.status ?? 200;
    if (status === 404) gone();
    if (status !== 200 && !isPassing(status))
      throw unavailable(`the batch${below} cannot be read: status ${status}`, true);
    await batching.clock.sleep(ms, batching.signal);
  }
}

/** Null if the connection failed, also in the middle of the text. */
async function getOrNull(batching: Batching, below: string): Promise<Got | null> {
  try {
    const reply = await ask(batching, 'GET', below, '');
    return { reply, text: await textOf(reply) };
  } catch (thrown) {
    const known = findFailure(thrown);
    const isConnection = known === undefined || known.code === 'MODEL_UNAVAILABLE';
    if (!isConnection || batching.signal.aborted) throw thrown;
    return null;
  }
}

function replyOf({ reply: { secrets = [] }, text: results }: Got, streams: boolean): ModelReply {
  const replyWith = (status: number, type: string, text: string): ModelReply => ({
    status,
    headers: { 'content-type': type },
    body: new Blob([text]).stream(),
    secrets,
  });
  const result = batchResult(results);
  switch (result?.type) {
    case undefined:
      throw unavailable('the batch has no result that can be read', true);
    case 'unprocessed':
      throw unavailable(result.why, false);
    case 'error':
      return replyWith(result.status, 'application/json', result.body);
    case 'message':
      if (streams) return replyWith(200, 'text/event-stream; charset=utf-8', eventsOf(result.message));
      return replyWith(200, 'application/json', JSON.stringify(result.message));
  }
}
