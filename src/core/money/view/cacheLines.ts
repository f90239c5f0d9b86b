/** Shows what tokens were paid for as every surface has it: of a session, and summed by job and role. */
import {
  type CacheAmounts,
  type CacheLine,
  TOKEN_USES,
  type TokenUse,
  type UsedTokens,
} from '../../../shared/money.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { addCacheUse, type CacheUse, noCacheUse } from './cacheUse.ts';
import type { LedgerWithUses } from './sessionUses.ts';

export interface CacheLines {
  readonly total: CacheLine;
  readonly byJob: readonly CacheLine[];
  readonly byRole: readonly CacheLine[];
}

/** `ledger` must be up to date. If there are more jobs than `most`: the most expensive ones, and the rest as one line. */
export function cacheLines(state: State, { uses }: LedgerWithUses, most = Number.POSITIVE_INFINITY): CacheLines {
  const { total, byJob, byRole } = uses.sums();
  const titled = [...byJob].map(([id, use]) => lineOf(id, state.jobs.get(id)?.title ?? id, use));
  return {
    total: lineOf('total', 'Total', total),
    byJob: titled.length <= most ? titled : withOthers(titled, [...byJob.values()], most),
    byRole: [...byRole].map(([role, use]) => lineOf(role, role, use)),
  };
}

/** A line for each session with settled calls. */
export function sessionCacheLines(state: State, { uses }: LedgerWithUses): CacheLine[] {
  return Array.from(uses.all(), ([id, use]) => {
    const { role = '', feature_id = null } = state.sessions.get(id) ?? {};
    const feature = feature_id === null ? undefined : state.features.get(feature_id)?.name;
    return lineOf(String(id), feature === undefined ? role : `${role}: ${feature}`, use);
  });
}

/** The amounts of one session. Null if it has no settled call. */
export function sessionAmounts({ uses }: LedgerWithUses, sessionId: number): CacheAmounts | null {
  const use = uses.of(sessionId);
  return use === undefined ? null : amountsOf(use);
}

/** What a session's own line says of its handovers. */
export function handoversOf({ uses }: LedgerWithUses, sessionId: number): Pick<CacheAmounts, 'handovers' | 'savedUsd'> {
  const use = uses.of(sessionId) ?? noCacheUse();
  return { handovers: use.handovers, savedUsd: savedUsd(use) };
}

const lineOf = (key: string, label: string, use: CacheUse): CacheLine => ({ key, label, ...amountsOf(use) });

function withOthers(lines: readonly CacheLine[], uses: readonly CacheUse[], most: number): CacheLine[] {
  const order = lines.map((line, at) => ({ line, use: uses[at] ?? noCacheUse() }));
  order.sort((one, other) => costOf(other.use) - costOf(one.use));
  const rest = noCacheUse();
  for (const { use } of order.slice(most)) addCacheUse(rest, use);
  return [...order.slice(0, most).map(({ line }) => line), lineOf('', `${order.length - most} others`, rest)];
}

const costOf = ({ microUsd }: CacheUse): number => TOKEN_USES.reduce((sum, use) => sum + microUsd[use], 0);

const savedUsd = ({ saved, estimates }: CacheUse): number | null => (estimates === 0 ? null : saved / 1e6);

function amountsOf(use: CacheUse): CacheAmounts {
  const uses: Partial<Record<TokenUse, UsedTokens>> = {};
  for (const name of TOKEN_USES) {
    const [tokens, usd] = [use.tokens[name], use.microUsd[name] / 1e6];
    if (tokens !== 0 || usd !== 0) uses[name] = { tokens, unpricedTokens: use.unpriced[name], usd };
  }
  return {
    calls: use.calls,
    unpricedCalls: use.unpricedCalls,
    uses,
    cacheReadTokens: use.cacheRead,
    cacheWrite5mTokens: use.cacheWrite5m,
    cacheWrite1hTokens: use.cacheWrite1h,
    uncachedTokens: use.uncached,
    handovers: use.handovers,
    savedUsd: savedUsd(use),
  };
}
