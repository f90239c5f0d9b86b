/** A gateway with the real HTTP provider, store and reducer, against a scripted server on this machine. */
import { afterEach } from 'vitest';
import { createGateway, type GatewayOptions } from '../../../src/adapters/gateway/door/gateway.ts';
import { connectionProvider } from '../../../src/adapters/gateway/wire/connectionProvider.ts';
import { anthropicProvider } from '../../../src/adapters/gateway/wire/messagesWire.ts';
import { withPreset } from '../../../src/adapters/userData/knownConnections.ts';
import type { Gateway, ModelReply, Provider } from '../../../src/engine/session/gatewayPorts.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import { AutonomousError } from '../../../src/shared/errors.ts';
import type { Wire } from '../../../src/shared/model/connections.ts';
import type { SpendRow } from '../../../src/shared/money.ts';
import { type Script, type ScriptedServer, scriptedServer, sse, textEvents } from '../provider/scriptedServer.ts';
import { addJob, addSession, type MemoryLog, memoryLog, openMemoryStore } from '../state/memoryStore.ts';
import { FakeClock } from '../time/fakeClock.ts';

export const KEY = 'sk-ant-test-0123456789abcdef';
export const EVENTS = textEvents('hello');
export const OK = sse(EVENTS);

export interface World {
  readonly server: ScriptedServer;
  readonly clock: FakeClock;
  readonly store: Store;
  readonly log: MemoryLog;
  readonly session: number;
  readonly gateway: Gateway;
  /** Named as a session names it. */
  readonly model: string;
}

/** Another wire than that of Anthropic's own API. */
export type OverWire = Exclude<Wire, 'vertex'>;

export const WIRES: readonly OverWire[] = ['messages', 'chat', 'responses', 'gemini'];

/** The price of the model that is asked otherwise. */
const OTHER = {
  'other/m': { tiers: [{ upTo: null, input: 2, output: 10, cacheRead: 0.2 }], window: null, source: 'test' },
};

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
});

export async function world(
  scripts: readonly Script[],
  { wire, ...options }: Partial<GatewayOptions> & { key?: string; baseUrl?: string; wire?: OverWire } = {},
): Promise<World> {
  const server = await scriptedServer(...scripts);
  const clock = new FakeClock({ skipSleeps: true });
  const log = memoryLog();
  const store = await openMemoryStore(clock, log);
  await addJob(store, 'a');
  const session = await addSession(store, 'a');
  const key = options.key ?? KEY;
  const baseUrl = options.baseUrl ?? server.baseUrl;
  const provider =
    wire === undefined || wire === 'messages'
      ? anthropicProvider({ baseUrl, key: async () => key })
      : over(wire, baseUrl, key);
  if (provider.checks !== undefined) Object.assign(store.state.jobs.get('a')?.options ?? {}, { terms: OTHER });
  const gateway = createGateway({ ledger: store, clock, providerOf: () => provider, random: () => 0.5, ...options });
  open.push({ [Symbol.asyncDispose]: () => gateway.close() }, server);
  const model = provider.checks === undefined ? 'claude-sonnet-5-5' : 'other/m';
  return { server, clock, store, log, session, gateway, model };
}

function over(wire: Wire, baseUrl: string, key: string): Provider {
  const auth = wire === 'gemini' ? 'x-goog-api-key' : 'bearer';
  const connection = withPreset('other', { wire, baseUrl, auth, keyEnv: 'KEY' });
  if ('lacks' in connection) throw new Error(connection.lacks);
  return connectionProvider({ connection, key: async () => key, proxy: null });
}

export function ask(
  { gateway, session, model = 'claude-sonnet-5-5' }: Pick<World, 'gateway' | 'session'> & Partial<Pick<World, 'model'>>,
  more: Record<string, unknown> = {},
  signal = new AbortController().signal,
): Promise<ModelReply> {
  const body = {
    model,
    max_tokens: 1000,
    stream: true,
    messages: [{ role: 'user', content: 'hi' }],
    ...more,
  };
  const headers = {
    'content-type': 'application/json',
    'x-api-key': 'unused',
    authorization: 'Bearer unused',
    cookie: 'a=b',
  };
  return gateway.call(
    { path: '/v1/messages?beta=true', method: 'POST', headers, body: JSON.stringify(body), sessionId: session },
    signal,
  );
}

export async function textOf(reply: ModelReply): Promise<string> {
  return new Response(reply.body).text();
}

/** What a caller got in all: the text, or the failure of the call or of its stream. */
export async function outcome(asked: Promise<ModelReply>): Promise<string | AutonomousError> {
  try {
    return await textOf(await asked);
  } catch (thrown) {
    if (thrown instanceof AutonomousError) return thrown;
    throw thrown;
  }
}

export const rows = ({ store }: Pick<World, 'store'>): SpendRow[] => [...store.state.spends.values()];
export const statuses = (at: World) => rows(at).map(({ status }) => status);

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
