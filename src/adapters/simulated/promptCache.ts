/** Estimates the tokens of a request, split as the real API bills them: plain, read from the cache, written to it. */
import { createHash } from 'node:crypto';
import type { Usage } from '../../shared/money.ts';
import type { MessagesRequest } from './request.ts';

export const CHARS_PER_TOKEN = 4;
/** Shorter prefixes are not cached. */
const MIN_CACHED_TOKENS = 1024;
/** Number of blocks before a breakpoint in which a hit is searched. */
const LOOKBACK = 20;
const MAX_ENTRIES = 20_000;

export type InputUsage = Omit<Usage, 'output'>;

/** A prefix of the request that ends with one tool or block. */
interface Prefix {
  readonly hash: string;
  /** Tokens up to this point. */
  readonly tokens: number;
  readonly breakpoint: '5m' | '1h' | null;
}

/** Milliseconds from the last use of an entry to its end. */
const LIFETIMES = { '5m': 5 * 60_000, '1h': 60 * 60_000 } as const;

interface Entry {
  readonly ttl: keyof typeof LIFETIMES;
  readonly usedAt: number;
}

/** Remembers prefixes by content and model. Entries expire by the clock that `now` reads; without one they do not. */
export class PromptCache {
  readonly #known = new Map<string, Entry>();
  readonly #now: () => number;

  /** `now`: milliseconds. */
  constructor(now: () => number = () => 0) {
    this.#now = now;
  }

  /** The input tokens of a request; remembers its breakpoints for later ones. */
  use(request: MessagesRequest): InputUsage {
    const prefixes = prefixesOf(request);
    let covered = this.#longestKnown(prefixes);
    const cacheRead = covered;
    const written = { '5m': 0, '1h': 0 };
    for (const { hash, tokens, breakpoint } of prefixes) {
      if (breakpoint === null || tokens < MIN_CACHED_TOKENS) continue;
      this.#remember(hash, breakpoint);
      if (tokens <= covered) continue;
      written[breakpoint] += tokens - covered;
      covered = tokens;
    }
    const total = prefixes.at(-1)?.tokens ?? 0;
    return { input: total - covered, cacheRead, cacheWrite5m: written['5m'], cacheWrite1h: written['1h'] };
  }

  #longestKnown(prefixes: readonly Prefix[]): number {
    let longest = 0;
    for (const [at, { breakpoint }] of prefixes.entries()) {
      if (breakpoint === null) continue;
      const near = prefixes.slice(Math.max(0, at - LOOKBACK), at + 1);
      const hit = near.findLast(({ hash }) => this.#isAlive(hash));
      if (hit === undefined) continue;
      this.#remember(hit.hash, breakpoint);
      longest = Math.max(longest, hit.tokens);
    }
    return longest;
  }

  #isAlive(hash: string): boolean {
    const entry = this.#known.get(hash);
    return entry !== undefined && this.#now() - entry.usedAt <= LIFETIMES[entry.ttl];
  }

  /** A use extends an entry. It keeps the lifetime with which it was written. */
  #remember(hash: string, ttl: Entry['ttl']): void {
    const kept = this.#isAlive(hash) ? (this.#known.get(hash)?.ttl ?? ttl) : ttl;
    this.#known.delete(hash);
    this.#known.set(hash, { ttl: kept, usedAt: this.#now() });
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > MAX_ENTRIES && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** All input tokens of a request, cached or not. */
export function countInputTokens(request: MessagesRequest): number {
  return prefixesOf(request).at(-1)?.tokens ?? 0;
}

function prefixesOf(request: MessagesRequest): Prefix[] {
  const parts = [
    ...request.tools,
    ...request.system,
    ...request.messages.flatMap(({ role, content }) => content.map((block) => ({ role, ...block }))),
  ];
  let hash = createHash('sha256').update(request.model).digest('hex');
  let chars = 0;
  return parts.map((part, at) => {
    const text = JSON.stringify(part, (key, value: unknown) => (key === 'cache_control' ? undefined : value));
    hash = createHash('sha256').update(hash).update(text).digest('hex');
    chars += text.length;
    const automatic = at === parts.length - 1 ? request.cache_control : null;
    const breakpoint = (part.cache_control ?? automatic)?.ttl ?? null;
    return { hash, tokens: Math.ceil(chars / CHARS_PER_TOKEN), breakpoint };
  });
}
