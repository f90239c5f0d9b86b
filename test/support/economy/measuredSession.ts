/** A real session of a reading worker against a server that enforces what the provider documents, and what it was billed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHARS_PER_TOKEN } from '../../../src/adapters/simulated/promptCache.ts';
import type { MessagesRequest } from '../../../src/adapters/simulated/request.ts';
import { inputTokens } from '../../../src/core/model/usage/usage.ts';
import { PRICES } from '../../../src/core/money/price/prices.ts';
import { cost, pricesAt } from '../../../src/core/money/price/pricing.ts';
import { CONVERSATION_HEADER } from '../../../src/engine/session/gatewayPorts.ts';
import type { SessionResult } from '../../../src/engine/session/ports.ts';
import { openSession } from '../../../src/engine/session/session.ts';
import type { SpendRow, Usage } from '../../../src/shared/money.ts';
import { ONE_FEATURE } from '../demo/briefs.ts';
import { leadTo } from '../provider/leadTo.ts';
import { startMessagesServer } from '../provider/messagesServer.ts';
import { SessionBench, workerSpec } from '../session/sessionBench.ts';
import { START_MS, spendRow } from '../state/builders.ts';
import { type Asked, contentOf, fileOf, type Reading, ReadingWorker } from './readingWorker.ts';

export interface Work extends Reading {
  readonly model: string;
  /** Tokens of the thinking of each reply; null: none. */
  readonly thinking: number | null;
  /** The longest prompt that the provider takes, tokens. */
  readonly window?: number;
  /** Requests before which nothing happens for a time. */
  readonly pauses?: { readonly seconds: number; readonly before: readonly number[] };
}

export interface Measured {
  readonly result: SessionResult;
  readonly usages: readonly Usage[];
  /** The answered requests as the ledger has them. */
  readonly spends: readonly SpendRow[];
  /** Messages with which the provider refused a history. */
  readonly refused: readonly string[];
  readonly handovers: number;
  /** Requests that wrote to the cache what an earlier one had written, and how many tokens of it. */
  readonly rewrites: { readonly count: number; readonly tokens: number };
}

/** Of the injected clock, for each request. */
const SECONDS_PER_ROUND = 20;
const NO_LIMIT = { turns: 1e6, tokens: 1e12, seconds: 1e9, microUsd: 1e15 };
const WINDOW = 1_000_000;
/** The worker's assignment, which a fresh context repeats, is shorter. */
const LEAST_REWRITTEN = 2_000;

export async function measured(work: Work): Promise<Measured> {
  const bench = new SessionBench();
  for (let round = 1; round <= work.rounds; round++)
    writeFileSync(join(bench.workdir, fileOf(round)), contentOf(round, work));
  bench.limits = NO_LIMIT;
  const counted = new Counted();
  const model = new ReadingWorker(
    work,
    () => bench.monotonicMs,
    (asked) => counted.add(asked),
  );
  const { thinking, window = WINDOW } = work;
  // The SDK of a session sends this key; the gateway is not part of this.
  const server = await startMessagesServer({
    scenario: ONE_FEATURE,
    model,
    apiKey: 'unused',
    keep: false,
    thinking,
    window,
  });
  let requests = 0;
  const answered: Promise<Partial<SpendRow>>[] = [];
  const { before, seconds } = work.pauses ?? { before: [], seconds: 0 };
  const sent = leadTo(() => server.url);
  const ports = bench.ports({
    fetch: async (input, init) => {
      bench.monotonicMs += 1_000 * (SECONDS_PER_ROUND + (before.includes(requests++) ? seconds : 0));
      const at = new Date(START_MS + bench.monotonicMs).toISOString();
      const response = await sent(input, init);
      const conversation = new Headers(init?.headers).get(CONVERSATION_HEADER);
      const stream = response.clone().text();
      const called = async () => (await stream).split('"type":"tool_use"').length - 1;
      if (response.ok) answered.push(called().then((tool_calls) => ({ conversation, at, tool_calls })));
      return response;
    },
  });
  try {
    const result = await openSession({ ...workerSpec(), model: work.model }, ports).run();
    const refused = server.refused.map(({ message }) => message);
    const usages = server.bill.map(({ usage }) => usage);
    const known = await Promise.all(answered);
    const spends = usages.map((usage, index) => spendOf(work.model, usage, { id: index + 1, ...known[index] }));
    return { result, refused, usages, spends, ...counted.sums };
  } finally {
    await server.close();
    bench.remove();
  }
}

function spendOf(model: string, usage: Usage, patch: Partial<SpendRow>): SpendRow {
  return spendRow({
    provider: 'anthropic',
    model,
    settled_micro_usd: cost(PRICES, model, usage),
    input_tokens: usage.input,
    output_tokens: usage.output,
    cache_read_tokens: usage.cacheRead,
    cache_write_5m_tokens: usage.cacheWrite5m,
    cache_write_1h_tokens: usage.cacheWrite1h,
    ...patch,
  });
}

class Counted {
  #before = new Set<string>();
  #handovers = 0;
  #rewrites = 0;
  #rewritten = 0;

  get sums(): Pick<Measured, 'handovers' | 'rewrites'> {
    return { handovers: this.#handovers, rewrites: { count: this.#rewrites, tokens: this.#rewritten } };
  }

  add({ request, usage, isSummary }: Asked): void {
    const parts = partsOf(request);
    if (isSummary) this.#handovers++;
    let end = 0;
    let again = 0;
    for (const part of parts) {
      end += part.length / CHARS_PER_TOKEN;
      if (end > usage.cacheRead + 1 && this.#before.has(part)) again += part.length / CHARS_PER_TOKEN;
    }
    if (again > LEAST_REWRITTEN) this.#rewrites++;
    this.#rewritten += Math.round(again);
    this.#before = new Set(parts);
  }
}

function partsOf({ tools, system, messages }: MessagesRequest): string[] {
  const blocks = messages.flatMap(({ role, content }) => content.map((block) => ({ role, ...block })));
  return [...tools, ...system, ...blocks].map((part) =>
    JSON.stringify(part, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
  );
}

/** The price of one input token of the model is the unit. */
export function unitsOf(model: string, usages: readonly Usage[]): number {
  const perToken = PRICES.models[model]?.[0]?.input ?? Number.NaN;
  return usages.reduce((sum, usage) => sum + cost(PRICES, model, usage), 0) / perToken;
}

export function overTier(model: string, usages: readonly Usage[]): number {
  const upTo = pricesAt(PRICES, model, 0)?.upTo ?? Number.POSITIVE_INFINITY;
  return usages.filter((usage) => inputTokens(usage) > upTo).length;
}

/** What the same rounds cost if nothing of the history ever goes, by the sizes of the first ones; pauses are left out. */
export function neverShortened({ model, rounds }: Work, [first, second, third]: readonly Usage[]): number {
  if (first === undefined || second === undefined || third === undefined) return Number.NaN;
  const base = inputTokens(first);
  const growth = inputTokens(third) - inputTokens(second);
  const usages = Array.from({ length: rounds + 1 }, (_, round): Usage => {
    const cacheRead = round === 0 ? 0 : base + growth * (round - 1);
    const cacheWrite5m = base + growth * round - cacheRead;
    return { input: 0, output: second.output, cacheRead, cacheWrite5m, cacheWrite1h: 0 };
  });
  return unitsOf(model, usages);
}
