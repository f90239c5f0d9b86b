/**
 * Opens an HTTP server that only this machine can reach: one port, on both loopback addresses if there are two, with
 * limits per client.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';

export interface LoopbackLimits {
  readonly bodyBytes: number;
  readonly headerBytes: number;
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** Open connections per address. */
  readonly connections: number;
  readonly requestsPerConnection?: number;
  /** Milliseconds after which a connection without traffic is closed. */
  readonly idleMs?: number;
}

export interface Handlers {
  request(request: IncomingMessage, response: ServerResponse): unknown;
  /** Without it, an upgrade request is answered like any other request. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

export interface Loopback {
  readonly port: number;
  /** `127.0.0.1:<port>` */
  readonly address: string;
  /** Starts answering requests; before, their connections are cut. */
  serve(handlers: Handlers): void;
  /** Lets the process end while the server is open. */
  unref(): void;
  /** New requests are cut. Those in progress have `graceMs` to end. */
  close(graceMs: number): Promise<void>;
}

const FOUR = '127.0.0.1';
const SIX = '::1';
/** Attempts to find a port that is free on both addresses. */
const TRIES = 5;

/** `wanted`: a port, 0 for any. Throws INVALID_INPUT if another program has it. */
export async function openLoopback(wanted: number, limits: LoopbackLimits, clock: Clock): Promise<Loopback> {
  let handlers: Handlers | null = null;
  const upgrade: Handlers['upgrade'] = (request, socket, head) => {
    if (handlers?.upgrade === undefined) socket.destroy();
    else handlers.upgrade(request, socket, head);
  };
  const { port, servers } = await bind(wanted, () => boundedServer(limits, () => handlers));
  return {
    port,
    address: `${FOUR}:${port}`,
    serve: (given) => {
      handlers = given;
      if (given.upgrade === undefined) return;
      for (const server of servers) server.on('upgrade', upgrade);
    },
    unref: () => {
      for (const server of servers) server.unref();
    },
    close: async (graceMs) => {
      handlers = null;
      await Promise.all(servers.map((server) => closed(server, graceMs, clock)));
    },
  };
}

function boundedServer(limits: LoopbackLimits, handlers: () => Handlers | null): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
  });
  server.timeout = limits.idleMs ?? 0;
  server.maxConnections = limits.connections;
  server.maxRequestsPerSocket = limits.requestsPerConnection ?? 0;
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const ready = handlers();
    if (ready === null) request.destroy();
    else ready.request(request, response);
  };
  server.on('request', take);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // A body that exceeds the limit is refused before it is sent.
    if (Number(request.headers['content-length'] ?? 0) <= limits.bodyBytes) response.writeContinue();
    take(request, response);
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

async function closed(server: Server, graceMs: number, clock: Clock): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()));
  if (graceMs === 0) server.closeAllConnections();
  server.closeIdleConnections();
  const cut = clock.timer(graceMs, () => server.closeAllConnections());
  await done;
  cut();
}
