/** The API over real sockets, on the real store, reducer and requests in memory. */
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { systemClock } from '../../../src/adapters/clock.ts';
import type { ApiLimits } from '../../../src/adapters/http/limits.ts';
import { type ApiServing, serveApi } from '../../../src/adapters/http/serveApi.ts';
import type { EngineRequests } from '../../../src/engine/job/requests/ports.ts';
import { tryNowRequest } from '../../../src/engine/job/requests/tryNow.ts';
import type { Engine, EngineListener } from '../../../src/engine/state/api.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import { EngineTaskService } from '../../../src/engine/task/ask/engineTaskService.ts';
import { taskRequests } from '../../../src/engine/task/ask/requests.ts';
import { handleRequest } from '../../../src/engine/workspace/requests.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import { failure } from '../../../src/shared/errors.ts';
import type { TaskEvent } from '../../../src/shared/task/taskApi.ts';
import { addProject, openMemoryStore } from '../state/memoryStore.ts';
import { taskPorts } from './taskPorts.ts';

export const TOKEN = 'k'.repeat(43);
export const TASKS = '/api/tasks/long-running';

interface ApiWorldOptions {
  readonly limits?: Partial<ApiLimits>;
  readonly origins?: readonly string[];
  /** Another store than one in memory. */
  readonly store?: Store;
  /** Another one than the machine's. */
  readonly clock?: Clock;
}

export interface Asked {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON, or as it is where it is text. */
  readonly body?: unknown;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is held against the document, not against types
  readonly json: any;
}

export interface ApiWorld extends AsyncDisposable {
  readonly store: Store;
  readonly api: ApiServing;
  /** What the server said of itself. */
  readonly faults: unknown[];
  /** From now on nobody is reached, or it fails in this way. */
  lose(thrown?: Error): void;
  /** Somebody is reached again. */
  find(): void;
  ask(method: string, path: string, asked?: Asked): Promise<Answered>;
  /** A connection that says this and is not ended. */
  say(text: string): Promise<Socket>;
  /** With the token in a header, where nothing else is said. */
  listen(query?: string, protocols?: readonly string[], headers?: Readonly<Record<string, string>>): Listening;
}

export async function apiWorld(options: ApiWorldOptions = {}): Promise<ApiWorld> {
  const clock = options.clock ?? systemClock();
  const store = options.store ?? (await openMemoryStore(clock));
  await addProject(store, 'default');
  const owner = { lost: null as Error | null };
  const listeners = new Set<EngineListener>();
  const requests = {
    ...taskRequests(taskPorts(store)),
    ...tryNowRequest({ store, work: () => undefined }),
  } as unknown as EngineRequests;
  store.subscribe((event) => {
    for (const listener of listeners) listener.event?.(event);
  });
  const made = (): Engine => ({
    state: store.state,
    request: (name, input) => handleRequest(requests, name, input),
    follow: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => undefined,
  });
  const engine = { now: made() };
  const faults: unknown[] = [];
  const reach = async (): Promise<Engine> => {
    if (owner.lost !== null) throw owner.lost;
    return engine.now;
  };
  const service = new EngineTaskService({ clock, reach, keeps: false, failed: (thrown) => faults.push(thrown) });
  const api = await serveApi({
    service,
    clock,
    version: '1.2.3',
    token: TOKEN,
    port: 0,
    origins: options.origins ?? [],
    limits: options.limits ?? {},
    failed: (thrown) => faults.push(thrown),
  });
  return {
    store,
    api,
    faults,
    lose: (thrown = failure('OWNER_UNREACHABLE', 'nobody works on this workspace')) => {
      owner.lost = thrown;
      for (const listener of [...listeners]) listener.lost?.('the owner ended');
    },
    find: () => {
      owner.lost = null;
      engine.now = made();
    },
    ask: (method, path, asked) => ask(api.port, method, path, asked),
    say: async (text) => {
      const socket = connect(api.port, '127.0.0.1');
      socket.on('error', () => socket.destroy());
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(text);
      return socket;
    },
    listen: (
      query = '',
      protocols = [],
      headers = protocols.length === 0 ? { authorization: `Bearer ${TOKEN}` } : {},
    ) => new Listening(`${api.events}${query}`, protocols, headers),
    [Symbol.asyncDispose]: async () => {
      service.close();
      await api.close();
      await store.close();
    },
  };
}

/** An undefined header is not sent. */
function ask(port: number, method: string, path: string, { headers = {}, body }: Asked = {}): Promise<Answered> {
  const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  const given = {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${TOKEN}`,
    ...(text === null ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, method, path, headers: sent, setHost: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const said = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          json: said === '' ? null : JSON.parse(said),
        });
      });
    });
    asking.on('error', reject);
    asking.end(text ?? undefined);
  });
}

/** The next `count` events of a listener, from its beginning; fewer where it is closed before. */
export async function heard(socket: Listening, count: number): Promise<TaskEvent[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const enough = (): void => {
    if (socket.events.length >= count || socket.readyState === socket.CLOSED) resolve();
  };
  socket.on('message', enough).once('close', resolve);
  enough();
  await promise;
  socket.off('message', enough).off('close', resolve);
  return socket.events.splice(0, count);
}

/** A client that keeps what it hears. */
class Listening extends WebSocket {
  readonly events: TaskEvent[] = [];

  constructor(address: string, protocols: readonly string[], headers: Readonly<Record<string, string>>) {
    super(address, [...protocols], { headers });
    this.on('message', (data: Buffer) => this.events.push(JSON.parse(data.toString()) as TaskEvent));
  }
}

/** How a listener was turned away: the status of the answer to its request. */
export async function turnedAway(socket: WebSocket): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
  socket.once('open', () => resolve(101));
  socket.once('error', () => resolve(0));
  const status = await promise;
  socket.on('error', () => undefined);
  socket.terminate();
  return status;
}
