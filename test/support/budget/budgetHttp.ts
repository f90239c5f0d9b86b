/**
 * Everyone spends at once, over real HTTP: jobs, a project's conversation and a task through the door of a thread, and an agent
 * with subagents through the model server; the owner dies once, and goes on from its log.
 */
import { MessageChannel } from 'node:worker_threads';
import { createGateway } from '../../../src/adapters/gateway/door/gateway.ts';
import { gatewayFetch } from '../../../src/adapters/gateway/door/gatewayClient.ts';
import { serveGateway } from '../../../src/adapters/gateway/door/serveGateway.ts';
import { anthropicProvider } from '../../../src/adapters/gateway/wire/messagesWire.ts';
import { type ModelDoor, openModelServer } from '../../../src/adapters/modelServer/server.ts';
import { openMemoryStore } from '../state/memoryStore.ts';
import { randomOf } from '../suite/proof.ts';
import { FakeClock } from '../time/fakeClock.ts';
import { BudgetOracle, unlikeBill } from './budgetOracle.ts';
import { budgetServer } from './budgetServer.ts';
import { beginSessions, type Ceilings, makePayers, PAYERS } from './payers.ts';
import { SharedLog } from './sharedLog.ts';

export interface HttpTally {
  readonly overshoots: number;
  readonly answered: number;
  readonly refused: number;
  readonly faults: readonly string[];
}

type Random = (below: number) => number;

const MODELS = ['claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-opus-5-5'];
const SUBAGENTS = 6;
const CALLS_EACH = 3;
/** A long prompt is one of the dearer tier. */
const LONG = 440_000;
/** How a call may end that gives no answer. */
const TYPED = /LIMIT_REACHED|ABORTED|MODEL_UNAVAILABLE|MODEL_STREAM_BROKEN|OWNER_LOST/;

/** The same for the same seed, but for the order in which calls meet. */
export async function spendOverHttp(seed: number): Promise<HttpTally> {
  const random = randomOf(seed);
  const limit = (): number | null => (random(3) === 0 ? Math.ceil(10 ** (3.5 + random(2_500) / 1_000)) : null);
  const [attempt, job, task, project_day, project_total] = [1, 2, 3, 4, 5].map(limit);
  const ceilings: Ceilings = {
    attempt: attempt ?? 1e12,
    job: job ?? null,
    task: task ?? null,
    project_day: project_day ?? null,
    project_total: project_total ?? null,
  };
  const oracle = new BudgetOracle(ceilings);
  const log = new SharedLog((event) => oracle.take(event));
  const bill: number[] = [];
  await using server = await budgetServer(random, bill);
  const tally = { answered: 0, refused: 0, faults: [] as string[] };
  for (const life of ['first', 'second'] as const) {
    const owner = await openOwner({
      log,
      oracle,
      random,
      baseUrl: server.baseUrl,
      ceilings: life === 'first' ? ceilings : null,
    });
    if (life === 'first') await owner.limit(limit() ?? 1e6, limit());
    const lanes = owner.asks.map(async (ask) => {
      for (let call = 0; call < CALLS_EACH; call++) count(tally, await ask());
    });
    if (life === 'first') await owner.die(Promise.all(lanes), random(40));
    await Promise.all(lanes);
    await owner.close();
  }
  return {
    ...tally,
    overshoots: oracle.overshoots,
    faults: [
      ...tally.faults,
      ...oracle.faults,
      ...unlikeBill({ settled: oracle.settled(), unsettled: oracle.unsettled().length, open: oracle.open() }, bill),
    ].map((fault) => `seed ${seed}: ${fault}`),
  };
}

/** 200, or the name of what it failed of. */
type Outcome = number | string;

function count(tally: { answered: number; refused: number; faults: string[] }, outcome: Outcome): void {
  if (outcome === 200) tally.answered++;
  else if (outcome === 403 || (typeof outcome === 'string' && outcome.includes('LIMIT_REACHED'))) tally.refused++;
  else if (typeof outcome === 'number' ? outcome < 429 : !TYPED.test(outcome))
    tally.faults.push(`a call ended with ${outcome}`);
}

interface OwnerOptions {
  readonly log: SharedLog;
  readonly oracle: BudgetOracle;
  readonly random: Random;
  readonly baseUrl: string;
  readonly ceilings: Ceilings | null;
}

async function openOwner({ log, oracle, random, baseUrl, ceilings }: OwnerOptions) {
  const clock = new FakeClock({ skipSleeps: true });
  const life = new AbortController();
  const store = await openMemoryStore(clock, log.of(life.signal));
  if (ceilings !== null) await makePayers(store, ceilings);
  const sessions = await beginSessions(store);
  for (const payer of PAYERS) oracle.payer(sessions[payer], payer);
  const anthropic = anthropicProvider({ baseUrl, key: async () => 'sk-ant-proof-0123456789abcdef' });
  const gateway = createGateway({
    ledger: store,
    clock,
    providerOf: () => anthropic,
    random: () => random(1_000) / 1_000,
    concurrency: 1 + random(32),
  });
  const { port1, port2 } = new MessageChannel();
  const stop = serveGateway(port1, gateway);
  const models = await openModelServer({ clock: new FakeClock() });
  const agent = {
    sessionId: sessions.attempt,
    fetch: gatewayFetch(port2, sessions.attempt),
    model: MODELS[0] ?? '',
    maxTokens: 6_000,
  };
  const door = models.admit({ ...agent, refused: () => undefined, reported: () => undefined });
  const byThread = PAYERS.map((payer) => {
    const send = gatewayFetch(port2, sessions[payer]);
    return () => post(send, 'http://gateway/v1/messages?beta=true', messageOf(random));
  });
  const close = async (): Promise<void> => {
    await models.close();
    await gateway.close();
    stop();
    port2.close();
  };
  return {
    asks: [...byThread, ...byThread, ...bySubagents(door, random)],
    limit: (dayMicroUsd: number, totalMicroUsd: number | null) =>
      store.commit({
        type: 'limits_set',
        limits: { callMicroUsd: null, projectMicroUsd: null, dayMicroUsd, totalMicroUsd },
        by: 'steward',
      }),
    /** After so many milliseconds, unless all is over before: nothing more of it is written. */
    die: async (over: Promise<unknown>, ms: number) => {
      await Promise.race([over, new Promise((resolve) => setTimeout(resolve, ms))]);
      life.abort();
    },
    close,
  };
}

function bySubagents({ url, chatUrl, token }: ModelDoor, random: Random): (() => Promise<Outcome>)[] {
  const ask = (): Promise<Outcome> =>
    random(3) === 0
      ? post(fetch, `${chatUrl}/chat/completions`, chatOf(random), token)
      : post(fetch, `${url}/v1/messages`, messageOf(random), token);
  return Array.from({ length: SUBAGENTS }, () => ask);
}

async function post(send: typeof fetch, url: string, body: object, token = 'unused'): Promise<Outcome> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  try {
    const answered = await send(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answered.text();
    // A stream that breaks off has begun with 200.
    return text.includes('"type":"error"') ? 'MODEL_STREAM_BROKEN' : answered.status;
  } catch (thrown) {
    const { code, cause } = thrown as { code?: string; cause?: { code?: string } };
    return code ?? (thrown instanceof TypeError ? 'MODEL_STREAM_BROKEN' : String(cause?.code ?? thrown));
  }
}

function messageOf(random: Random) {
  const text = 'x'.repeat(random(50) === 0 ? LONG : 1 + random(20_000));
  const block = { type: 'text', text, ...(random(2) === 0 ? { cache_control: { type: 'ephemeral' } } : {}) };
  return { ...chatOf(random), max_tokens: 1 + random(12_000), messages: [{ role: 'user', content: [block] }] };
}

function chatOf(random: Random) {
  const content = 'x'.repeat(1 + random(20_000));
  const model = MODELS[random(MODELS.length)] ?? '';
  return { model, max_tokens: 1 + random(6_000), stream: random(10) < 7, messages: [{ role: 'user', content }] };
}
