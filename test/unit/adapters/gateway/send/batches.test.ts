/** Calls in batches: waiting, failures, what is stored, and what a repeated call receives. */
import { expect, it } from 'vitest';
import { batchProvider } from '../../../../../src/adapters/gateway/send/batches.ts';
import type {
  BatchedCall,
  ModelReply,
  ModelRequest,
  PendingBatches,
  Provider,
} from '../../../../../src/engine/session/gatewayPorts.ts';
import { failure } from '../../../../../src/shared/errors.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

const NEVER = new AbortController().signal;
const CALL: ModelRequest = {
  path: '/v1/messages?beta=true',
  method: 'POST',
  headers: { 'anthropic-beta': 'one' },
  body: '{"model":"m","max_tokens":9,"stream":true}',
  sessionId: 1,
};
const BATCHED: BatchedCall = { sessionId: 1, prompt: '{"model":"m"}' };
const MESSAGE = { id: 'm', content: [], stop_reason: 'end_turn', usage: {} };

type Step = { readonly status: number; readonly text: string } | 'lost';
const state = (processing_status: string, id = 'b1'): Step => ({
  status: 200,
  text: JSON.stringify({ id, processing_status }),
});
const ENDED = state('ended');
const result = (value: unknown): Step => ({ status: 200, text: JSON.stringify({ custom_id: 'call', result: value }) });
const GOOD = result({ type: 'succeeded', message: MESSAGE });

/** Answers with the steps, one after the other. */
function scripted(steps: readonly Step[]) {
  const left = [...steps];
  const asked: string[] = [];
  const inner: Provider = {
    name: 'anthropic',
    send: async ({ method, path, headers }): Promise<ModelReply> => {
      asked.push(`${method} ${path} ${headers['anthropic-beta']}`);
      const step = left.shift();
      if (step === undefined) throw new Error('nothing more was expected');
      if (step === 'lost') throw failure('MODEL_UNAVAILABLE', 'lost', { details: { sent: true } });
      return { status: step.status, headers: {}, body: new Blob([step.text]).stream() };
    },
  };
  return { inner, asked };
}

function inMemory(): PendingBatches & { readonly ids: Map<string, string> } {
  const ids = new Map<string, string>();
  const key = ({ sessionId, prompt }: BatchedCall): string => `${sessionId} ${prompt}`;
  return { ids, find: (call) => ids.get(key(call)) ?? null, add: async (call, id) => void ids.set(key(call), id) };
}

function answered(steps: readonly Step[], pending = inMemory(), call = CALL) {
  const { inner, asked } = scripted(steps);
  const clock = new FakeClock({ skipSleeps: true });
  const sent = batchProvider(inner, pending, clock).send(call, NEVER);
  return { sent, asked, pending, slept: clock.slept };
}

it('costs half, and may take a day', () => {
  const provider = batchProvider(scripted([]).inner, inMemory(), new FakeClock());
  expect(provider).toMatchObject({
    name: 'anthropic',
    priceFactor: 0.5,
    cachesForHour: true,
    answersWithinMs: 25 * 3_600_000,
  });
});

it('creates a batch, waits for its end, and answers as a stream', async () => {
  const steps: Step[] = [state('in_progress'), state('in_progress'), 'lost', { status: 529, text: '' }, ENDED, GOOD];
  const { sent, asked, pending, slept } = answered(steps);
  const reply = await sent;
  expect(reply).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
  expect(await new Response(reply.body).text()).toContain('event: message_stop');
  expect(asked[0]).toBe('POST /v1/messages/batches?beta=true one,message-batches-2024-09-24');
  expect(asked.at(-2)).toContain('GET /v1/messages/batches/b1?beta=true');
  expect(asked.at(-1)).toContain('GET /v1/messages/batches/b1/results?beta=true');
  expect([...pending.ids.values()]).toEqual(['b1']);
  expect(slept).toEqual([5_000, 10_000, 20_000]);
});

it('reads a batch of an earlier process once, and creates another one for another answer', async () => {
  const pending = inMemory();
  await pending.add(BATCHED, 'b1');
  const { inner, asked } = scripted([ENDED, GOOD, state('ended', 'b2'), state('ended', 'b2'), GOOD]);
  const provider = batchProvider(inner, pending, new FakeClock());
  await provider.send(CALL, NEVER);
  expect(asked.map((line) => line.split(' ')[0])).toEqual(['GET', 'GET']);
  await provider.send(CALL, NEVER);
  expect(asked.slice(2).map((line) => line.split(' ')[0])).toEqual(['POST', 'GET', 'GET']);
  expect([...pending.ids.values()]).toEqual(['b2']);
});

it('forgets a batch that the server does not know', async () => {
  const pending = inMemory();
  await pending.add(BATCHED, 'gone');
  const { inner, asked } = scripted([{ status: 404, text: '' }, state('ended', 'b2'), state('ended', 'b2'), GOOD]);
  const provider = batchProvider(inner, pending, new FakeClock());
  await expect(provider.send(CALL, NEVER)).rejects.toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    details: { sent: true },
  });
  expect((await provider.send(CALL, NEVER)).status).toBe(200);
  expect(asked).toHaveLength(4);
});

it.each<[string, readonly Step[], unknown]>([
  ['a key that is refused', [state('in_progress'), { status: 401, text: '' }], { sent: true }],
  ['no batch', [{ status: 200, text: '<html>' }], { sent: true }],
  ['an answer of a proxy', [{ status: 502, text: '' }], { sent: true }],
  ['another success', [{ status: 201, text: '{}' }], { sent: true }],
  ['a result that is no result', [ENDED, ENDED, { status: 200, text: '' }], { sent: true }],
  ['an expired batch', [ENDED, ENDED, result({ type: 'expired' })], { sent: false }],
])('%s is a failure that may pass', async (_, steps, details) => {
  const { sent } = answered(steps);
  await expect(sent).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', details });
});

it('after the creation, every failure may be billed: a refused disk, an abort, a missing key', async () => {
  const refuses: PendingBatches = {
    find: () => null,
    add: async () => {
      throw failure('DISK', 'full');
    },
  };
  const disk = batchProvider(scripted([ENDED]).inner, refuses, new FakeClock());
  await expect(disk.send(CALL, NEVER)).rejects.toMatchObject({ code: 'DISK', details: { sent: true } });

  const { inner } = scripted([ENDED]);
  const later: Provider = {
    ...inner,
    send: async (request, signal) => {
      if (request.method === 'POST') return inner.send(request, signal);
      throw failure('KEY_MISSING', 'no key', { details: { sent: false } });
    },
  };
  const keyless = batchProvider(later, inMemory(), new FakeClock());
  await expect(keyless.send(CALL, NEVER)).rejects.toMatchObject({ code: 'KEY_MISSING', details: { sent: true } });
});

it('a body that is cut off is read again', async () => {
  const { inner } = scripted([ENDED, ENDED, GOOD]);
  let cuts = 1;
  const cutting: Provider = {
    ...inner,
    send: async (request, signal) => {
      if (request.method === 'POST' || cuts-- <= 0) return inner.send(request, signal);
      const body = new ReadableStream<Uint8Array>({ pull: (stream) => stream.error(new TypeError('terminated')) });
      return { status: 200, headers: {}, body };
    },
  };
  const reply = await batchProvider(cutting, inMemory(), new FakeClock({ skipSleeps: true })).send(CALL, NEVER);
  expect(reply.status).toBe(200);
});

it('passes on a refusal of the batch or of its request', async () => {
  const refused = answered([{ status: 400, text: '{}' }]);
  expect((await refused.sent).status).toBe(400);
  const error = { type: 'error', error: { type: 'invalid_request_error', message: 'too long' } };
  const errored = answered([ENDED, ENDED, result({ type: 'errored', error })]);
  const reply = await errored.sent;
  expect(reply.status).toBe(400);
  expect(await new Response(reply.body).json()).toEqual(error);
});

it('passes on what counts tokens', async () => {
  const { sent, asked } = answered([{ status: 200, text: '{"input_tokens":1}' }], inMemory(), {
    ...CALL,
    path: '/v1/messages/count_tokens',
  });
  expect((await sent).status).toBe(200);
  expect(asked).toEqual(['POST /v1/messages/count_tokens one']);
});
