/** A session that is stopped while its answer is being booked: what is paid is not thrown away. */
import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import type { ToOwner } from '../../../../src/adapters/gateway/doorProtocol.ts';
import { gatewayFetch } from '../../../../src/adapters/gateway/workerFetch.ts';

const channels: MessageChannel[] = [];

afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
});

const text = new TextEncoder();

/** An owner that has given the beginning of its answer, and gives the rest when it is asked to stop, as one that is booking does. */
function booking(what: 'end' | 'failure'): typeof fetch {
  const channel = new MessageChannel();
  channels.push(channel);
  const body = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  channel.port1.on('message', async (message: ToOwner) => {
    if (message.kind === 'call') {
      const stream = new ReadableStream<Uint8Array>({ start: (controller) => body.resolve(controller) });
      (await body.promise).enqueue(text.encode('the answer '));
      channel.port1.postMessage({ kind: 'reply', id: message.id, status: 200, headers: {}, body: stream }, [stream]);
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
  return gatewayFetch(channel.port2, 1);
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
