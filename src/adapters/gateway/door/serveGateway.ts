/** Answers the gateway requests of one worker thread, in the owner. */
import type { MessagePort } from 'node:worker_threads';
import type { Gateway } from '../../../engine/session/gatewayPorts.ts';
import { toPlain } from '../../../shared/errors.ts';
import type { StreamFailure, ToOwner, ToWorker } from './gatewayProtocol.ts';

/** Serves until the port closes, which aborts calls in flight. Returns a function that stops it earlier. */
export function serveGateway(port: MessagePort, gateway: Gateway): () => void {
  const calls = new Map<number, AbortController>();
  const stop = () => {
    for (const call of calls.values()) call.abort();
    calls.clear();
    port.close();
  };
  port.on('message', (message: ToOwner) => {
    if (message.kind === 'abort') calls.get(message.id)?.abort();
    else void answer(message);
  });
  port.on('close', stop);
  return stop;

  async function answer({ id, ...request }: Extract<ToOwner, { kind: 'call' }>): Promise<void> {
    const abort = new AbortController();
    calls.set(id, abort);
    const over = () => calls.delete(id);
    try {
      const { status, headers, body, secrets = [] } = await gateway.call(request, abort.signal);
      const message: ToWorker = { kind: 'reply', id, status, headers, body: transferable(body, over), secrets };
      port.postMessage(message, [message.body]);
    } catch (thrown) {
      over();
      port.postMessage({ kind: 'failed', id, failure: toPlain(thrown) } satisfies ToWorker);
    }
  }
}

/** The same stream, whose error is plain data that survives the transfer. */
function transferable(body: ReadableStream<Uint8Array>, over: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        over();
        controller.close();
      } catch (thrown) {
        over();
        controller.error({ failure: toPlain(thrown) } satisfies StreamFailure);
      }
    },
    async cancel(reason) {
      over();
      await reader.cancel(reason);
    },
  });
}
