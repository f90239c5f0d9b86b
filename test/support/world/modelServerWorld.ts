/** The model server over the real door to a real gateway, asked over real HTTP. */
import { request } from 'node:http';
import { MessageChannel } from 'node:worker_threads';
import { afterEach } from 'vitest';
import { gatewayFetch } from '../../../src/adapters/gateway/door/gatewayClient.ts';
import { serveGateway } from '../../../src/adapters/gateway/door/serveGateway.ts';
import { type ModelDoor, type ModelServer, openModelServer } from '../../../src/adapters/modelServer/server.ts';
import type { Admitted } from '../../../src/adapters/modelServer/sessionEndpoints.ts';
import type { AutonomousError } from '../../../src/shared/errors.ts';
import type { Script } from '../provider/scriptedServer.ts';
import { addSession } from '../state/memoryStore.ts';
import { FakeClock } from '../time/fakeClock.ts';
import { type World, world } from './gatewayWorld.ts';

export interface ServedWorld extends World {
  readonly models: ModelServer;
  /** Of the model server alone. */
  readonly serverClock: FakeClock;
  readonly door: ModelDoor;
  /** Failures that the session was told. */
  readonly refused: string[];
  readonly reported: string[];
  admit(more?: Partial<Admitted>): ModelDoor;
}

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

export async function served(
  scripts: readonly Script[],
  options: Parameters<typeof world>[1] = {},
): Promise<ServedWorld> {
  const at = await world(scripts, options);
  const { port1, port2 } = new MessageChannel();
  const stop = serveGateway(port1, at.gateway);
  const serverClock = new FakeClock();
  const models = await openModelServer({ clock: serverClock });
  ends.push(async () => {
    await models.close();
    stop();
  });
  const refused: string[] = [];
  const reported: string[] = [];
  const admit = (more: Partial<Admitted> = {}): ModelDoor =>
    models.admit({
      sessionId: at.session,
      fetch: gatewayFetch(port2, more.sessionId ?? at.session),
      model: 'claude-sonnet-5-5',
      maxTokens: 8_000,
      refused: (thrown) => refused.push((thrown as AutonomousError).code),
      reported: (text) => reported.push(text),
      ...more,
    });
  return { ...at, models, serverClock, door: admit(), refused, reported, admit };
}

export async function anotherSession({ store }: World): Promise<number> {
  return addSession(store, 'a');
}

export const ASK = {
  model: 'claude-sonnet-5-5',
  max_tokens: 1000,
  stream: true,
  messages: [{ role: 'user', content: 'hi' }],
};

/** By `fetch`, as an agent asks. */
export function post(
  { url, token }: ModelDoor,
  path: string,
  body: unknown,
  { headers = {}, signal = null }: { headers?: Record<string, string>; signal?: AbortSignal | null } = {},
): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': token, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal,
  });
}

/** With any headers, which `fetch` does not let us set; the body is sent as far as the other side takes it. */
export function raw(
  { url }: ModelDoor,
  { path = '/v1/messages', method = 'POST', headers = {}, body = '' as string | Buffer } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly status: number; readonly text: string }>();
  const asked = request(url + path, { method, headers }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    response.on('error', reject);
  });
  asked.on('error', reject);
  asked.end(body);
  return promise;
}
