/** Typed calls over a MessagePort. Order is kept: what was posted first is handled first. */

import type { MessagePort } from 'node:worker_threads';
import { createBirpc } from 'birpc';

/** `functions` are called by the other side; the returned object calls its functions. Calls wait as long as it takes. */
export function callsOver<Remote extends object, Local extends object>(port: MessagePort, functions: Local) {
  return createBirpc<Remote, Local>(functions, {
    post: (data) => port.postMessage(data),
    on: (handle) => port.on('message', handle),
    timeout: -1,
  });
}
