/** Events of the ledger: money is reserved before a call is sent, and settled by the reported usage. */

import type { SpendRow, Usage } from '../../shared/money.ts';
import type { SessionRow } from '../../shared/session.ts';
import { CALL_WAITS } from '../../shared/waiting.ts';
import type { Change, State } from '../../shared/workspace/state.ts';
import { inputTokens } from '../model/usage/usage.ts';
import { SPEND, type SpendTrigger, step } from '../state/machines.ts';
import type { Reducer } from '../state/reducer.ts';
import { need, needNew } from '../state/rows.ts';
import { woken } from '../state/workTime.ts';
import { laterDay } from '../text/day.ts';
import { endedWait } from './callWait.ts';

/** Integer micro-USD survive the REAL column of seed 003 exactly: it is rounded back on every change. */
function addCost(usd: number | null, microUsd: number): number {
  return (Math.round((usd ?? 0) * 1e6) + microUsd) / 1e6;
}

function withUsage(session: SessionRow, usage: Usage, microUsd: number): SessionRow {
  return {
    ...session,
    input_tokens: (session.input_tokens ?? 0) + inputTokens(usage),
    output_tokens: (session.output_tokens ?? 0) + usage.output,
    cost_usd: addCost(session.cost_usd, microUsd),
  };
}

function moveSpend(state: State, id: number, trigger: SpendTrigger, patch: Partial<SpendRow>): SpendRow {
  const row = need(state, 'spends', id);
  return { ...row, ...patch, status: step(`call ${id}`, SPEND, row.status, trigger) };
}

export const moneyReducers = {
  call_reserved: (state, event) => {
    needNew(state, 'spends', event.id);
    const session = need(state, 'sessions', event.session_id);
    const put: SpendRow = {
      id: event.id,
      session_id: session.id,
      project_id: session.project_id,
      job_id: session.job_id,
      phase_id: session.phase_id,
      feature_id: session.feature_id,
      attempt_id: session.attempt_id,
      task_id: session.task_id,
      step_id: session.step_id,
      role: session.role,
      provider: event.provider,
      model: event.model,
      day: event.day,
      status: 'reserved',
      reserved_micro_usd: event.micro_usd,
      reserved_tokens: event.tokens ?? 0,
      settled_micro_usd: 0,
      input_tokens: 0,
      output_tokens: 0,
      cache_read_tokens: 0,
      cache_write_5m_tokens: 0,
      cache_write_1h_tokens: 0,
      conversation: event.conversation ?? null,
      tool_calls: 0,
      price_version: event.price_version,
      epoch: event.epoch,
      at: event.at,
      settled_at: null,
      reason: null,
    };
    const last_day = laterDay(event.day, state.meta.last_day);
    const changes: Change[] = [
      { table: 'spends', put },
      // The call has its money: neither a limit nor the queue delays it any longer.
      ...endedWait(state, session, ['limit', 'queue']),
      { table: 'meta', put: { ...state.meta, last_day } },
    ];
    // A session without an attempt has no separate event that resumes it.
    if (session.active_since === null) changes.push({ table: 'sessions', put: woken(session, event.at) });
    return changes;
  },
  call_settled: (state, event) => {
    const { usage } = event;
    const put = moveSpend(state, event.id, 'settle', {
      settled_micro_usd: event.micro_usd,
      input_tokens: usage.input,
      output_tokens: usage.output,
      cache_read_tokens: usage.cacheRead,
      cache_write_5m_tokens: usage.cacheWrite5m,
      cache_write_1h_tokens: usage.cacheWrite1h,
      tool_calls: event.tool_calls ?? 0,
      settled_at: event.at,
    });
    const session = withUsage(need(state, 'sessions', put.session_id), usage, event.micro_usd);
    const changes: Change[] = [
      { table: 'spends', put },
      { table: 'sessions', put: session },
      // For an agent with its own account, the gateway sees no answered call.
      ...endedWait(state, session, CALL_WAITS),
    ];
    return changes;
  },
  call_released: (state, event) => [
    { table: 'spends', put: moveSpend(state, event.id, 'release', { settled_at: event.at, reason: event.reason }) },
  ],
  call_unsettled: (state, event) => {
    const { reason, micro_usd, tokens } = event;
    const most = {
      ...(micro_usd === undefined ? {} : { reserved_micro_usd: micro_usd }),
      ...(tokens === undefined ? {} : { reserved_tokens: tokens }),
    };
    return [{ table: 'spends', put: moveSpend(state, event.id, 'unsettle', { reason, ...most }) }];
  },
  call_adjusted: (state, event) => {
    const put = moveSpend(state, event.id, 'adjust', {
      settled_micro_usd: event.micro_usd,
      settled_at: event.at,
      reason: 'adjusted by the steward',
    });
    const session = need(state, 'sessions', put.session_id);
    return [
      { table: 'spends', put },
      { table: 'sessions', put: { ...session, cost_usd: addCost(session.cost_usd, event.micro_usd) } },
    ];
  },
} satisfies {
  call_reserved: Reducer<'call_reserved'>;
  call_settled: Reducer<'call_settled'>;
  call_released: Reducer<'call_released'>;
  call_unsettled: Reducer<'call_unsettled'>;
  call_adjusted: Reducer<'call_adjusted'>;
};
