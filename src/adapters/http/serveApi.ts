/** The API of tasks, served on the loopback. */
import { getRequestListener } from '@hono/node-server';
import type { TaskService } from '../../engine/task/ask/apiPorts.ts';
import type { Clock } from '../../shared/clock.ts';
import { hostsOf } from '../loopback/caller.ts';
import { openLoopback } from '../loopback/server.ts';
import { type AppPorts, apiApp } from './app.ts';
import { API_LIMITS, type ApiLimits } from './limits.ts';
import { EVENTS_PATH, eventServer } from './live/events.ts';
import { rate } from './rate.ts';

export interface ApiOptions {
  readonly service: TaskService;
  readonly clock: Clock;
  readonly version: string;
  readonly token: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Origins of pages that may call the API, as browsers send them. */
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

const GOODBYE_MS = 1_000;

/** Throws INVALID_INPUT if another program uses the port. */
export async function serveApi(options: ApiOptions): Promise<ApiServing> {
  const limits: ApiLimits = { ...API_LIMITS, ...options.limits };
  const server = await openLoopback(options.port, limits, options.clock);
  const { port, address } = server;
  const ports: AppPorts = {
    ...options,
    limits,
    rules: { token: options.token, hosts: hostsOf(port), origins: new Set(options.origins) },
    mayAsk: rate(options.clock, limits.requestsPerSecond),
  };
  const events = eventServer(ports);
  const request = getRequestListener(apiApp(ports).fetch, { overrideGlobalObjects: false });
  server.serve({ request, upgrade: events.upgrade });
  return {
    port,
    url: `http://${address}`,
    events: `ws://${address}${EVENTS_PATH}`,
    get listeners() {
      return events.listeners;
    },
    close: async () => {
      await Promise.all([events.close(), server.close(GOODBYE_MS)]);
    },
  };
}
