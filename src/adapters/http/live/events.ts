/**
 * Serves live events over WebSocket: a replay from any number of the log, then new events, without gaps or duplicates.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { findFailure } from '../../../shared/errors.ts';
import { type AppPorts, TOO_MANY } from '../app.ts';
import { errorBody, type Refusal, refusalOf } from '../errors.ts';
import { strangerRefusal, tokenRefusal } from '../guard.ts';
import { parsed, readQuery } from '../input.ts';
import { TASKS_PATH } from '../operations.ts';
import { EventBroadcaster } from './eventBroadcaster.ts';

export const EVENTS_PATH = `${TASKS_PATH}/events`;
/** The subprotocol; offered beside `bearer.<token>`, so that the token is not echoed. */
const PROTOCOL = 'autonomous.events.v1';
/** A client has nothing to send. */
const MAX_MESSAGE_BYTES = 1_024;

const querySchema = z.strictObject({
  since: z.coerce.number().int().nonnegative().optional(),
  taskId: z.string().min(1).max(64).optional(),
});

interface EventServer {
  readonly listeners: number;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Resolves when the last listener is closed. */
  close(): Promise<void>;
}

export function eventServer(ports: AppPorts): EventServer {
  const { limits } = ports;
  const broadcaster = new EventBroadcaster(ports);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : ([...offered][0] ?? false)),
  });
  let admitted = 0;

  const admit = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<Refusal | null> => {
    const asked = wanted(request, ports);
    if ('refusal' in asked) return asked.refusal;
    if (admitted >= limits.listeners) return { ...TOO_MANY, message: `${limits.listeners} clients listen already` };
    admitted++;
    socket.once('close', () => admitted--);
    await broadcaster.refresh();
    if (socket.destroyed) return null;
    const { since = null, taskId = null } = asked.value;
    sockets.handleUpgrade(request, socket, head, (connection) => broadcaster.add(connection, { since, taskId }));
    return null;
  };

  return {
    get listeners() {
      return broadcaster.size;
    },
    upgrade: (request, socket, head) => {
      // A broken connection is closed next: no further handling is needed.
      socket.on('error', () => socket.destroy());
      admit(request, socket, head).then(
        (refusal) => refusal !== null && turnAway(socket, refusal),
        (thrown) => {
          const failed = findFailure(thrown);
          if (failed === undefined) ports.failed(thrown);
          turnAway(socket, failed === undefined ? NOT_NOW : refusalOf(failed));
        },
      );
    },
    close: async () => {
      await broadcaster.close();
      sockets.close();
    },
  };
}

const NOT_NOW: Refusal = { status: 500, code: 'INTERNAL', message: 'the server failed at this' };

type Wanted = { readonly value: z.output<typeof querySchema> } | { readonly refusal: Refusal };

function wanted({ url = '', headers }: IncomingMessage, { rules, mayAsk }: AppPorts): Wanted {
  const { host, origin, authorization } = headers;
  const caller = { host, origin, authorization, protocols: headers['sec-websocket-protocol'] };
  const refusal = strangerRefusal(caller, rules) ?? tokenRefusal(caller, rules) ?? (mayAsk() ? null : TOO_MANY);
  if (refusal !== null) return { refusal };
  const [path, ...rest] = url.split('?');
  if (path !== EVENTS_PATH)
    return { refusal: { status: 404, code: 'NOT_FOUND', message: 'there are no events at this path' } };
  return parsed(querySchema, readQuery(new URLSearchParams(rest.join('?'))), 'query');
}

function turnAway(socket: Duplex, refusal: Refusal): void {
  const body = JSON.stringify(errorBody(refusal));
  const head = [
    `HTTP/1.1 ${refusal.status} ${refusal.code}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
