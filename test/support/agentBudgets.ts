/**
 * An agent with subagents that spends as fast as it can under a random limit: over real HTTP, through the model server, the
 * door of its thread and the real gateway, to a provider that keeps its own bill.
 */
import type { ServerResponse } from 'node:http';
import { MessageChannel } from 'node:worker_threads';
import { anthropicProvider } from '../../src/adapters/gateway/anthropic.ts';
import { createGateway } from '../../src/adapters/gateway/gateway.ts';
import { serveGateway } from '../../src/adapters/gateway/serveGateway.ts';
import { gatewayFetch } from '../../src/adapters/gateway/workerFetch.ts';
import { type ModelDoor, openModelServer } from '../../src/adapters/modelServer/server.ts';
import type { Store } from '../../src/engine/store.ts';
import type { Usage } from '../../src/shared/money.ts';
import { FakeClock } from './fakeClock.ts';
import { addJob, addSession, openMemoryStore, setLimits } from './memoryStore.ts';
import { microUsdOf } from './prices.ts';
import { apiError, json, message, type SeenRequest, scriptedServer, sse, textEvents } from './scriptedServer.ts';

export interface BudgetRun {
  readonly limitMicroUsd: number;
  /** What the provider wants for all that it answered. */
  readonly billMicroUsd: number;
  /** What the ledger counts when all is over. */
  readonly ledgerMicroUsd: number;
  /** The most that was spent and held at once. */
  readonly heldMicroUsd: number;
  readonly answered: number;
  readonly refused: number;
  /** Statuses of an answer that no agent should get here. */
  readonly strange: readonly number[];
}

type Random = () => number;

const MODELS = ['claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-opus-5-5'];
const SUBAGENTS = 6;
const CALLS_EACH = 4;
/** A long prompt is one of the dearer tier. */
const LONG = 440_000;

/** The same for the same seed, but for the order in which calls meet. */
export async function spendUnder(seed: number): Promise<BudgetRun> {
  const random = randomFrom(seed);
  const whole = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  const limitMicroUsd = Math.ceil(10 ** (3.5 + 2.5 * random()));
  const clock = new FakeClock({ skipSleeps: true });
  const store = await openMemoryStore(clock);
  const limit = whole(0, 2);
  await addJob(store, 'a', limit === 0 ? { budgetMicroUsd: limitMicroUsd } : {});
  if (limit === 1) await setLimits(store, { dayMicroUsd: limitMicroUsd });
  if (limit === 2) await setLimits(store, { totalMicroUsd: limitMicroUsd });
  const sessionId = await addSession(store, 'a');
  const held = mostHeld(store);
  const bill = { microUsd: 0 };
  await using provider = await scriptedServer((response, request) => answer(response, request, { random, bill }));
  const anthropic = anthropicProvider({ baseUrl: provider.baseUrl, key: async () => 'key' });
  const gateway = createGateway({ ledger: store, clock, providerOf: () => anthropic, random });
  const { port1, port2 } = new MessageChannel();
  const stop = serveGateway(port1, gateway);
  const server = await openModelServer({ clock });
  const session = { sessionId, fetch: gatewayFetch(port2, sessionId), model: 'claude-sonnet-5-5', maxTokens: 6_000 };
  const door = server.admit({ ...session, refused: () => undefined, told: () => undefined });
  const statuses: number[] = [];
  const subagent = async (): Promise<void> => {
    for (let call = 0; call < CALLS_EACH; call++) statuses.push(await ask(door, { random, whole }));
  };
  await Promise.all(Array.from({ length: SUBAGENTS }, subagent));
  await server.close();
  await gateway.close();
  stop();
  return {
    limitMicroUsd,
    billMicroUsd: bill.microUsd,
    ledgerMicroUsd: countedIn(store),
    heldMicroUsd: held(),
    answered: statuses.filter((status) => status === 200).length,
    refused: statuses.filter((status) => status === 403).length,
    strange: statuses.filter((status) => status !== 200 && status !== 403),
  };
}

function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Chance {
  readonly random: Random;
  readonly whole: (from: number, to: number) => number;
}

async function ask({ url, chatUrl, token }: ModelDoor, { random, whole }: Chance): Promise<number> {
  const length = random() < 0.05 ? LONG : whole(1, 20_000);
  const model = MODELS[whole(0, MODELS.length - 1)];
  const content = 'x'.repeat(length);
  const max_tokens = whole(1, 12_000);
  const isChat = random() < 0.3;
  const marked = [{ type: 'text', text: content, ...(random() < 0.5 ? { cache_control: { type: 'ephemeral' } } : {}) }];
  const messages = [{ role: 'user', content: isChat ? content : marked }];
  const answered = await fetch(isChat ? `${chatUrl}/chat/completions` : `${url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ model, max_tokens, messages, stream: random() < 0.7 }),
  });
  await answered.text();
  return answered.status;
}

/** Four bytes a token; never more than was reserved, as the real one. */
function answer(
  response: ServerResponse,
  { url, body }: SeenRequest,
  { random, bill }: { readonly random: Random; readonly bill: { microUsd: number } },
): void | Promise<void> {
  const asked = JSON.parse(body) as { model: string; max_tokens: number; stream?: boolean };
  const prompt = Math.ceil(body.length / 4);
  if (url.includes('count_tokens')) return json(200, { input_tokens: prompt })(response, { url, headers: {}, body });
  const mishap = random();
  if (mishap < 0.05) return apiError(529, 'overloaded_error')(response, { url, headers: {}, body });
  const cached = body.includes('cache_control') ? Math.floor(prompt * random()) : 0;
  const written = Math.floor(cached * random());
  const usage: Usage = {
    input: prompt - cached,
    output: Math.ceil(asked.max_tokens * random()),
    cacheRead: cached - written,
    cacheWrite5m: written,
    cacheWrite1h: 0,
  };
  bill.microUsd += microUsdOf(asked.model, usage);
  const reported = {
    input_tokens: usage.input,
    output_tokens: usage.output,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite5m,
  };
  const script = asked.stream === true ? sse(textEvents('hello', reported)) : message('hello', reported);
  return script(response, { url, headers: {}, body });
}

function countedIn(store: Store): number {
  let sum = 0;
  for (const { status, settled_micro_usd, reserved_micro_usd } of store.state.spends.values()) {
    if (status === 'settled') sum += settled_micro_usd ?? 0;
    else if (status !== 'released') sum += reserved_micro_usd;
  }
  return sum;
}

function mostHeld(store: Store): () => number {
  let most = 0;
  store.subscribe(() => {
    most = Math.max(most, countedIn(store));
  });
  return () => most;
}
