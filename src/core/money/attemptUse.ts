/** Computes the usage of a session's attempt so far, from the ledger. */

import type { SpendRow } from '../../shared/money.ts';
import type { SessionRow } from '../../shared/session.ts';
import type { State } from '../../shared/workspace/state.ts';
import { tokensOf } from './usageLimits.ts';

export interface AttemptUse {
  /** Calls that left. */
  readonly turns: number;
  /** Turns of the whole session, which may have made several attempts. */
  readonly sessionTurns: number;
  readonly tokens: number;
  /** Context size of the newest ended call. */
  readonly contextTokens: number;
}

/** A session without an attempt, a planner's, has the limits of one attempt in total. */
export function attemptUse(state: State, { id, attempt_id }: SessionRow): AttemptUse {
  let turns = 0;
  let sessionTurns = 0;
  let tokens = 0;
  let newest: SpendRow | null = null;
  for (const row of state.spends.values()) {
    if (row.session_id !== id || row.status === 'released') continue;
    sessionTurns++;
    if (row.attempt_id !== attempt_id) continue;
    turns++;
    tokens += tokensOf(row);
    if (row.status === 'settled' && (newest === null || row.id > newest.id)) newest = row;
  }
  return { turns, sessionTurns, tokens, contextTokens: newest === null ? 0 : tokensOf(newest) };
}
