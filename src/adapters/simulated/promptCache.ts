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

/** Remembers prefixes by content and model; entries do not expire. */
export class PromptCache {
  readonly #known = new Set<string>();

  /** The input tokens of a request; remembers its breakpoints for later ones. */
  use(request: MessagesRequest): InputUsage {
    const prefixes = prefixesOf(request);
    let covered = this.#longestKnown(prefixes);
    const cacheRead = covered;
    const written = { '5m': 0, '1h': 0 };
    for (const { hash, tokens, breakpoint } of prefixes) {
      if (breakpoint === null || tokens < MIN_CACHED_TOKENS) continue;
      this.#remember(hash);
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
      const hit = near.findLast(({ hash }) => this.#known.has(hash));
      longest = Math.max(longest, hit?.tokens ?? 0);
    }
    return longest;
  }

  #remember(hash: string): void {
    this.#known.delete(hash);
    this.#known.add(hash);
    const oldest = this.#known.values().next().value;
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
