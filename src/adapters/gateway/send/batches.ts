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
      if (known !== null && !used.has(known)) return billed(() => answerOf(batching, known, batch.streams, used));
      const created = await ask(batching, 'POST', '', batch.body);
      if (isRefusal(created.status)) return created;
      return billed(async () => {
        const id = created.status === 200 ? (batchState(await textOf(created))?.id ?? null) : null;
        if (id === null) throw unreadable(`the model server created no batch (status ${created.status})`);
        await pending.add(call, id);
        return answerOf(batching, id, batch.streams, used);
      });
    },
  };
}

/** Whether no batch was created. After another status, it may be processed and billed. */
const isRefusal = (status: number): boolean =>
  (status >= 400 && status < 500 && status !== 408) || status === 503 || status === 529;

/** Runs what follows the creation of a batch: whatever fails, the batch may be billed, except if its result states otherwise. */
async function billed(work: () => Promise<ModelReply>): Promise<ModelReply> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof Unprocessed) throw thrown.failure;
    const { code, message, hint, details } = asFailure(thrown);
    throw failure(code, message, {
      ...(hint === undefined ? {} : { hint }),
      details: { ...details, sent: true },
      cause: thrown,
    });
  }
}

/** The batch ended without processing the call, so nothing is billed. */
class Unprocessed extends Error {
  readonly failure = failure('MODEL_UNAVAILABLE', this.message, { details: { sent: false } });
}

async function answerOf(batching: Batching, id: string, streams: boolean, used: Set<string>): Promise<ModelReply> {
  const gone = (): void => void used.add(id);
  await read(batching, `/${id}`, gone, (text) => batchState(text)?.ended === true);
  const { reply, text } = await read(batching, `/${id}/results`, gone, () => true);
  used.add(id);
  return replyOf(batchResult(text), reply, streams);
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
): Promise<Got> {
  for (let ms = FIRST_LOOK_MS; ; ms = Math.min(2 * ms, MAX_LOOK_MS)) {
    const got = await getOrNull(batching, below);
    if (got?.reply.status === 200 && accepts(got.text)) return got;
    const status = got?.reply.status ?? 200;
    if (status === 404) gone();
    if (status !== 200 && !mayPass(status)) throw unreadable(`the batch${below} cannot be read: status ${status}`);
    await batching.clock.sleep(ms, batching.signal);
  }
}

const mayPass = (status: number): boolean => status === 408 || status === 429 || status >= 500;

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

function replyOf(result: BatchResult | null, { secrets = [] }: ModelReply, streams: boolean): ModelReply {
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
      throw new Unprocessed(result.why);
    case 'error':
      return replyWith(result.status, 'application/json', result.body);
    case 'message':
      if (streams) return replyWith(200, 'text/event-stream; charset=utf-8', eventsOf(result.message));
      return replyWith(200, 'application/json', JSON.stringify(result.message));
  }
}
