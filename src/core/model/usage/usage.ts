/** Counts of tokens, as a provider or an agent reports them. */
import type { Usage } from '../../../shared/money.ts';

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };

/** All input tokens, cached ones included. */
export function inputTokens({ input, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): number {
  return input + cacheRead + cacheWrite5m + cacheWrite1h;
}

/** The growth of the totals since `before`; never negative. */
export function usageSince(before: Usage, now: Usage): Usage {
  const grown = (count: keyof Usage): number => Math.max(0, now[count] - before[count]);
  return {
    input: grown('input'),
    output: grown('output'),
    cacheRead: grown('cacheRead'),
    cacheWrite5m: grown('cacheWrite5m'),
    cacheWrite1h: grown('cacheWrite1h'),
  };
}
