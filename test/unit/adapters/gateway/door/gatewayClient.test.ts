/** A session that is stopped while its answer is being booked: what is paid is not thrown away. */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { gatewayFetch } from '../../../../../src/adapters/gateway/door/gatewayClient.ts';
import type { ToOwner } from '../../../../../src/adapters/gateway/door/gatewayProtocol.ts';

const channels: MessageChannel[] = [];

afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
});

const text = new TextEncoder();

/** Ports of worker threads, by the door that is behind them. */
const ports = new WeakMap<typeof fetch, MessagePort>();

/** An owner that has given the beginning of its answer, and gives the rest when it is asked to stop, as one that is booking does. */
function booking(what: 'end' | 'failure'): typeof fetch {
  const channel = new MessageChannel();
  channels.push(channel);
  let body = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  channel.port1.on('message', async (message: ToOwner) => {
    if (message.kind === 'call') {
      body = Promise.withResolvers();
      const stream = new ReadableStream<Uint8Array>({ start: (controller) => body.resolve(controller) });
      (await body.promise).enqueue(text.encode('the answer '));
      channel.port1.postMessage(
        { kind: 'reply', id: message.id, status: 200, headers: {}, body: stream, secrets: [] },
        [stream],
      );
      return;
    }
    const controller = await body.promise;
    if (what === 'failure') {
      controller.error({ failure: { code: 'ABORTED', message: 'aborted', hint: '', details: {} } });
      return;
    }
    controller.enqueue(text.encode('is whole'));
    controller.close();
  });
  const door = gatewayFetch(channel.port2, 1);
  ports.set(door, channel.port2);
  return door;
}

it('still gives an answer whose booking had begun', async () => {
  const stop = new AbortController();
  const response = await booking('end')('http://gateway.invalid/v1/messages', { method: 'POST', signal: stop.signal });
  stop.abort();
  expect(await response.text()).toBe('the answer is whole');
});

it('fails as the owner says when the answer was cut', async () => {
  const stop = new AbortController();
  const response = await booking('failure')('http://gateway.invalid/v1/messages', {
    method: 'POST',
    signal: stop.signal,
  });
  stop.abort();
  await expect(response.text()).rejects.toMatchObject({ code: 'ABORTED' });
});

it('keeps the thread alive for the next call after one was given up in the middle of a read', async () => {
  const door = booking('failure');
  const port = ports.get(door);
  const call = { method: 'POST' };
  const reader = (await door('http://gateway.invalid/v1/messages', call)).body?.getReader();
  await reader?.read();
  // By then the next part is being read ahead.
  await setImmediate();
  await reader?.cancel();
  await setImmediate();
  expect(port?.hasRef()).toBe(false);
  const next = await door('http://gateway.invalid/v1/messages', call);
  expect(port?.hasRef()).toBe(true);
  await next.body?.cancel();
  expect(port?.hasRef()).toBe(false);
});

it('passes a stop on, however long its call has waited, and whatever was collected meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const channel = new MessageChannel();
  channels.push(channel);
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const said: string[] = [];
  channel.port1.on('message', ({ kind }: ToOwner) => {
    said.push(kind);
    if (kind === 'abort') resolve();
  });
  const stop = new AbortController();
  const asked = gatewayFetch(channel.port2, 1)('http://gateway.invalid/v1/messages', {
    method: 'POST',
    signal: stop.signal,
  });
  asked.catch(() => undefined);
  while (said.length === 0) await setImmediate();
  collect();
  stop.abort();
  await stopped;
  expect(said).toEqual(['call', 'abort']);
});
