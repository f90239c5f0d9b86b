/**
 * Offers the gateway as a server to external agents, on this machine's loopback: the Messages API and the OpenAI chat
 * protocol, answered for the session whose token is shown. The server has no key: each call goes through the session's
 * access to the gateway.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PRICES } from '../../core/money/price/prices.ts';
import type { PriceTable } from '../../core/money/price/pricing.ts';
import type { Clock } from '../../shared/clock.ts';
import { hostsOf, strangerBy } from '../loopback/caller.ts';
import { openLoopback } from '../loopback/server.ts';
import { answerCall, refuse } from './calls.ts';
import type { HttpError, Protocol } from './errors.ts';
import { LIMITS } from './limits.ts';
import { modelsAt } from './models.ts';
import { type Admitted, SessionEndpoints } from './sessionEndpoints.ts';

export interface ModelServerOptions {
  readonly clock: Clock;
  /** Prices of the models that may be requested beside a session's own. */
  readonly prices?: PriceTable;
}

/** An agent's access to its models. */
export interface ModelDoor {
  /** Base URL of the Messages API. */
  readonly url: string;
  /** Base URL of the OpenAI chat protocol. */
  readonly chatUrl: string;
  readonly token: string;
  /** Whether a call of the agent is running. */
  calling(): boolean;
  /** Aborts calls in flight, refuses later ones, and resolves when the cost of every call is booked. */
  close(): Promise<void>;
}

export interface ModelServer {
  readonly port: number;
  admit(session: Admitted): ModelDoor;
  close(): Promise<void>;
}

const NO_ORIGINS: ReadonlySet<string> = new Set();

export async function openModelServer({ clock, prices = PRICES }: ModelServerOptions): Promise<ModelServer> {
  const endpoints = new SessionEndpoints();
  const server = await openLoopback(0, LIMITS, clock);
  // A session keeps its thread alive; its server does not.
  server.unref();
  const { port } = server;
  const hosts = hostsOf(port);
  server.serve({ request: (request, response) => answer(request, response, { endpoints, clock, prices, hosts }) });
  const url = `http://${server.address}`;
  return {
    port,
    admit: (session) => {
      const door = endpoints.open(session);
      return {
        url,
        chatUrl: `${url}/v1`,
        token: door.token,
        calling: () => door.calls > 0,
        close: () => endpoints.close(door),
      };
    },
    close: async () => {
      await endpoints.closeAll();
      await server.close(0);
    },
  };
}

interface Serving {
  readonly endpoints: SessionEndpoints;
  readonly clock: Clock;
  readonly prices: PriceTable;
  readonly hosts: ReadonlySet<string>;
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { endpoints, clock, prices, hosts }: Serving,
): void {
  const [path = '', query] = (request.url ?? '').split('?', 2);
  const protocol: Protocol = path.startsWith('/v1/chat/') ? 'chat' : 'messages';
  const stranger = strangerError(request, hosts);
  const door = endpoints.find(request.headers);
  if (stranger !== null || door === null) return void refuse({ response, protocol }, stranger ?? UNKNOWN_TOKEN);
  const models = request.method === 'GET' ? modelsAt(path, door.admitted.model, prices) : null;
  if (models !== null) return void sendJson(response, models);
  const at = messagesPath(request.method, path, query);
  if (at === null) return void refuse({ response, protocol }, NOTHING);
  void door.hold(answerCall({ door, request, response, path: at, protocol, clock, prices }));
}

const UNKNOWN_TOKEN: HttpError = {
  status: 401,
  type: 'authentication_error',
  message: 'this server answers running sessions only, by the token that each received',
};

function strangerError({ headers }: IncomingMessage, hosts: ReadonlySet<string>): HttpError | null {
  const refused = strangerBy(headers, { hosts, origins: NO_ORIGINS });
  if (refused === null) return null;
  return forbidden(refused === 'host' ? 'this server is not reached by that name' : 'pages may not ask');
}

function forbidden(message: string): HttpError {
  return { status: 403, type: 'permission_error', message };
}

/** The path of a call at the gateway; null if it is not a call. */
function messagesPath(method: string | undefined, path: string, query: string | undefined): string | null {
  if (method !== 'POST' || (query !== undefined && query !== 'beta=true')) return null;
  if (path === '/v1/chat/completions') return '/v1/messages';
  if (path !== '/v1/messages' && path !== '/v1/messages/count_tokens') return null;
  return query === undefined ? path : `${path}?${query}`;
}

const NOTHING: HttpError = { status: 404, type: 'not_found_error', message: 'there is nothing here by that name' };

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
