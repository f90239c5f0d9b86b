/**
 * Sends each call as a batch of one request, at half the price and with an answer within a day. The id of a batch is stored, so that
 * a call that is repeated after a crash receives the answer of the batch that was already created.
 */
import {
  BATCH_FACTOR,
  BATCH_MS,
  type BatchResult,
  batchOf,
  batchResult,
  batchState,
  eventsOf,
} from '../../../core/model/batchAnswer.ts';
import type { ModelReply, ModelRequest, PendingBatches, Provider } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { failure, findFailure } from '../../../shared/errors.ts';

const FIRST_LOOK_MS = 5_000;
const MAX_LOOK_MS = 60_000;
const BETA = 'message-batches-2024-09-24';

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
    answersWithinMs: BATCH_MS,
    async send(request, signal) {
      const batch = request.path.split('?', 1)[0] === '/v1/messages' ? batchOf(request.body) : null;
      if (batch === null) return inner.send(request, signal);
      const batching = { inner, clock, request, signal };
      let id = pending.find(request);
      if (id === null || used.has(id)) {
        const created = await ask(batching, 'POST', '', batch.body);
        if (created.status !== 200) return created;
        id = batchState(await textOf(created))?.id ?? null;
        if (id === null) throw unreadable('the model server created no batch: it may not offer batches');
        await pending.add(request, id);
      }
      const ofBatch = id;
      const gone = (): void => void used.add(ofBatch);
      await read(batching, `/${id}`, gone, (text) => batchState(text)?.ended === true);
      const { reply, text } = await read(batching, `/${id}/results`, gone, () => true);
      used.add(id);
      return answerOf(batchResult(text), reply, batch.streams);
    },
  };
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

/** The batch may be billed. */
const unreadable = (why: string) => failure('MODEL_UNAVAILABLE', why, { details: { sent: true } });

/** Asks until the text is there and accepted. A failure that may pass does not end the wait: the batch continues meanwhile. */
async function read(
  batching: Batching,
  below: string,
  gone: () => void,
  accepts: (text: string) => boolean,
): Promise<{ readonly reply: ModelReply; readonly text: string }> {
  for (let ms = FIRST_LOOK_MS; ; ms = Math.min(2 * ms, MAX_LOOK_MS)) {
    const reply = await askOrNull(batching, below);
    if (reply?.status === 200) {
      const text = await textOf(reply);
      if (accepts(text)) return { reply, text };
    } else if (reply !== null && !mayPass(reply.status)) {
      if (reply.status === 404) gone();
      throw unreadable(`the batch${below} cannot be read: status ${reply.status}`);
    }
    await batching.clock.sleep(ms, batching.signal);
  }
}

const mayPass = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** Null if the connection failed. */
async function askOrNull(batching: Batching, below: string): Promise<ModelReply | null> {
  try {
    return await ask(batching, 'GET', below, '');
  } catch (thrown) {
    if (findFailure(thrown)?.code !== 'MODEL_UNAVAILABLE' || batching.signal.aborted) throw thrown;
    return null;
  }
}

function answerOf(result: BatchResult | null, { secrets = [] }: ModelReply, streams: boolean): ModelReply {
  const replyWith = (status: number, type: string, text: string): ModelReply => ({
    status,
    headers: { 'content-type': type },
    body: new Blob([text]).stream(),
    secrets,
  });
  switch (result?.type) {
    case undefined:
      throw unreadable('the batch has no result that can be read');
    case 'unprocessed':
      throw failure('MODEL_UNAVAILABLE', result.why, { details: { sent: false } });
    case 'error':
      return replyWith(result.status, 'application/json', result.body);
    case 'message':
      if (streams) return replyWith(200, 'text/event-stream; charset=utf-8', eventsOf(result.message));
      return replyWith(200, 'application/json', JSON.stringify(result.message));
  }
}
