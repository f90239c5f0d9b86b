/** The ledger of an agent that pays with a separate account: books the cost that the agent reports. */

import { NO_USAGE } from '../../../core/model/usage/usage.ts';
import { bookingDay } from '../../../core/money/budget.ts';
import { admitOwnTurn, leftOpen, saysWhatCanBe } from '../../../core/money/ownAccount.ts';
import { UNPRICED_VERSION } from '../../../core/money/price/unpriced.ts';
import { need } from '../../../core/state/rows.ts';
import type { OwnAccount } from '../../agent/sessionPorts.ts';
import { type JobContext, oneId } from '../context.ts';

export function ownAccount({ store, clock }: Pick<JobContext, 'store' | 'clock'>, sessionId: number): OwnAccount {
  return {
    reserve: async (attemptTokens) => {
      for (const id of leftOpen(store.state, sessionId)) {
        await store.commit({ type: 'call_unsettled', id, reason: 'in flight when its thread ended' });
      }
      const session = need(store.state, 'sessions', sessionId);
      const day = bookingDay(store.state.meta.last_day, clock.now());
      const tokens = admitOwnTurn(store.state, session, { day, attemptTokens });
      const id = await oneId({ store }, 'spends');
      await store.commit({
        type: 'call_reserved',
        id,
        session_id: sessionId,
        provider: 'own-account',
        model: session.model,
        day,
        micro_usd: 0,
        tokens,
        price_version: UNPRICED_VERSION,
      });
      const unsettle = async (reason: string): Promise<void> => {
        await store.commit({ type: 'call_unsettled', id, reason });
      };
      return {
        settle: async (reported) => {
          if (!saysWhatCanBe(reported)) return unsettle('what the agent reports cannot be');
          const { usage, costMicroUsd } = reported;
          const micro_usd = Math.round(costMicroUsd ?? 0);
          await store.commit({ type: 'call_settled', id, usage: usage ?? NO_USAGE, micro_usd });
        },
        unsettle,
      };
    },
  };
}
