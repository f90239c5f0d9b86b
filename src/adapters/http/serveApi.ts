/** The API on the loopback: one port, on both of its addresses where there are two. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { TaskService } from '../../engine/task/ask/apiPorts.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import { type AppPorts, apiApp } from './app.ts';
import { hostsOf } from './guard.ts';
import { API_LIMITS, type ApiLimits } from './limits.ts';
import { EVENTS_PATH, eventServer } from './live/events.ts';
import { rate } from './rate.ts';

export interface ApiOptions {
  readonly service: TaskService;
  readonly clock: Clock;
  readonly version: string;
  readonly token: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Of pages that may ask, as browsers send them. */
  readonly origins: readonly string[];
  readonly limits?: Partial<ApiLimits>;
  failed(thrown: unknown): void;
}

export interface ApiServing {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Address of the WebSocket. */
  readonly events: string;
  /** WebSockets that are open. */
  readonly listeners: number;
  close(): Promise<void>;
}

const FOUR = '127.0.0.1';
const SIX = '::1';
/** Of a port for both addresses, where any will do. */
const TRIES = 5;
const GOODBYE_MS = 1_000;

/** INVALID_INPUT where another program has the port. */
export async function serveApi(options: ApiOptions): Promise<ApiServing> {
  const limits: ApiLimits = { ...API_LIMITS, ...options.limits };
  const served: { answer: Answer | null } = { answer: null };
  const make = (): Server => loopbackServer(limits, () => served.answer);
  const { port, servers } = await bind(options.port, make);
  const ports: AppPorts = {
    ...options,
    limits,
    rules: { token: options.token, hosts: hostsOf(port), origins: new Set(options.origins) },
    mayAsk: rate(options.clock, limits.requestsPerSecond),
  };
  const events = eventServer(ports);
  const app = apiApp(ports);
  const request = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  served.answer = { request, upgrade: events.upgrade };
  return {
    port,
    url: `http://${FOUR}:${port}`,
    events: `ws://${FOUR}:${port}${EVENTS_PATH}`,
    get listeners() {
      return events.listeners;
    },
    close: async () => {
      served.answer = null;
      await Promise.all([events.close(), ...servers.map((server) => closed(server, options.clock))]);
    },
  };
}

interface Answer {
  request(request: IncomingMessage, response: ServerResponse): unknown;
  upgrade: ReturnType<typeof eventServer>['upgrade'];
}

function loopbackServer(limits: ApiLimits, answer: () => Answer | null): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
  });
  server.timeout = limits.idleMs;
  server.maxConnections = limits.connections;
  server.maxRequestsPerSocket = limits.requestsPerConnection;
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const ready = answer();
    if (ready === null) request.destroy();
    else ready.request(request, response);
  };
  server.on('request', take);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // What would be refused for its size is refused before it is sent.
    if (Number(request.headers['content-length'] ?? 0) <= limits.bodyBytes) response.writeContinue();
    take(request, response);
  });
  server.on('upgrade', (request, socket, head) => {
    const ready = answer();
    if (ready === null) socket.destroy();
    else ready.upgrade(request, socket, head);
  });
  return server;
}

async function bind(wanted: number, make: () => Server): Promise<{ port: number; servers: readonly Server[] }> {
  for (let left = TRIES; ; left--) {
    const four = make();
    await listening(four, FOUR, wanted);
    const { port } = four.address() as AddressInfo;
    const six = make();
    try {
      await listening(six, SIX, port);
      return { port, servers: [four, six] };
    } catch (thrown) {
      if (isAddressMissing(thrown)) return { port, servers: [four] };
      four.close();
      if (wanted !== 0 || left === 1) throw thrown;
    }
  }
}

function isAddressMissing(thrown: unknown): boolean {
  const { code } = (thrown instanceof Error ? (thrown.cause ?? thrown) : {}) as NodeJS.ErrnoException;
  return code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT';
}

async function listening(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ host, port, exclusive: true }, resolve);
  try {
    await promise;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw thrown;
    throw failure('INVALID_INPUT', `port ${port} is in use by another program`, {
      hint: 'Name another one, or 0 for any that is free.',
      details: { port },
      cause: thrown,
    });
  } finally {
    server.off('error', reject);
  }
}

/** Requests under way are answered, for a moment; then whoever holds a connection is cut off. */
async function closed(server: Server, clock: Clock): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = clock.timer(GOODBYE_MS, () => server.closeAllConnections());
  await done;
  cut();
}
