/** Limits of usage: the tokens and the tool calls of a project over all its jobs and its conversation. */
import type { Payee } from '../../shared/model/models.ts';
import type { CountedLimitName, SpendRow } from '../../shared/money.ts';
import type { ProjectLimits } from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';

/** `used` is final; `open` is the upper bound of calls in flight. */
export interface CountedRefusal {
  readonly limit: CountedLimitName;
  readonly most: number;
  readonly used: number;
  readonly open: number;
  readonly wanted: number;
}

export type CountedAdmission = { readonly ok: true } | ({ readonly ok: false } & CountedRefusal);

/** A call that asks for admission: its owner, and the upper bound of its tokens, input and output. */
export interface ProjectCall {
  readonly provider: Payee;
  readonly project_id: string;
  readonly tokens: number;
}

/** Reported ones, cache included. */
export function tokensOf(row: SpendRow): number {
  const cached = row.cache_read_tokens + row.cache_write_5m_tokens + row.cache_write_1h_tokens;
  return row.input_tokens + cached + row.output_tokens;
}

interface Use {
  used: number;
  open: number;
}

/**
 * Admits a call if the project's tokens, including this call's, stay within the limit, and a call of a tool is left. The number of tool calls of an
 * answer is only known afterwards, so the last answer may exceed the limit by those that it makes beyond its first. Simulated and real calls do not
 * count against each other, as with money.
 */
export function admitCounted(state: State, call: ProjectCall, limits: ProjectLimits): CountedAdmission {
  if (limits.tokens === null && limits.toolCalls === null) return { ok: true };
  const { tokens, toolCalls } = projectUse(state, call);
  const judged = [
    judge('project_tokens', limits.tokens, tokens, call.tokens),
    judge('project_tool_calls', limits.toolCalls, toolCalls, 1),
  ].filter((refusal) => refusal !== null);
  // A refusal that holds even if everything in flight uses nothing comes first.
  const refusal = judged.find(({ used, wanted, most }) => used + wanted > most) ?? judged[0];
  return refusal === undefined ? { ok: true } : { ok: false, ...refusal };
}

/** The remainder of a project's limits. Null for no limit. Calls in flight are not counted, because they may use less. */
export function projectCountsLeft(
  state: State,
  of: Omit<ProjectCall, 'tokens'>,
  limits: ProjectLimits,
): { readonly tokens: number | null; readonly toolCalls: number | null } {
  const { tokens, toolCalls } = projectUse(state, { ...of, tokens: 0 });
  return {
    tokens: limits.tokens === null ? null : limits.tokens - tokens.used,
    toolCalls: limits.toolCalls === null ? null : limits.toolCalls - toolCalls.used,
  };
}

function judge(limit: CountedLimitName, most: number | null, use: Use, wanted: number): CountedRefusal | null {
  if (most === null || use.used + use.open + wanted <= most) return null;
  return { limit, most, ...use, wanted };
}

/** A call whose answer is unknown counts at its upper bound, and as one call of a tool. */
function projectUse(state: State, { provider, project_id, tokens: own }: ProjectCall) {
  const tokens: Use = { used: 0, open: 0 };
  const toolCalls: Use = { used: 0, open: 0 };
  const simulated = provider === 'simulated';
  for (const row of state.spends.values()) {
    if (row.project_id !== project_id || (row.provider === 'simulated') !== simulated) continue;
    if (row.status === 'released') continue;
    const where = row.status === 'reserved' ? 'open' : 'used';
    tokens[where] += isReported(row) ? tokensOf(row) : row.reserved_tokens || own;
    toolCalls[where] += row.status === 'settled' ? row.tool_calls : 1;
  }
  return { tokens, toolCalls };
}

/** A call that the steward settled by hand has a price and no tokens. */
function isReported(row: SpendRow): boolean {
  return row.status === 'settled' && (tokensOf(row) > 0 || row.settled_micro_usd === 0);
}
