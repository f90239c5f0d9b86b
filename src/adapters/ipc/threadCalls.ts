/** Makes typed calls over a MessagePort. The order of calls is kept. */

import type { MessagePort } from 'node:worker_threads';
import { createBirpc } from 'birpc';

/** `functions` are called by the other side; the returned object calls its functions. Calls have no time limit. */
export function callsOver<Remote extends object, Local extends object>(port: MessagePort, functions: Local) {
  return createBirpc<Remote, Local>(functions, {
    post: (data) => port.postMessage(data),
    on: (handle) => port.on('message', handle),
    timeout: -1,
  });
}
