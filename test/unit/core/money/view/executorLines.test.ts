import { describe, expect, it } from 'vitest';
import { ledgerOf } from '../../../../../src/core/money/ledger.ts';
import { executorLines } from '../../../../../src/core/money/view/executorCosts.ts';
import type { State } from '../../../../../src/shared/workspace/state.ts';
import { attemptRow, START_MS, sessionRow, spendRow, stateOf } from '../../../../support/state/builders.ts';

const linesIn = (state: State, jobId: string | null = null) =>
  executorLines(state, ledgerOf(state.spends.values()), jobId);
const at = (seconds: number): string => new Date(START_MS + seconds * 1000).toISOString();
const ended = (seconds: number) => ({ started_at: at(0), ended_at: at(seconds) });

describe('how well who did what', () => {
  it('counts the tries of each executor in each role, the built-in agent first', () => {
    const state = stateOf({
      sessions: [
        sessionRow({ id: 1, executor: 'cline' }),
        sessionRow({ id: 2 }),
        sessionRow({ id: 3, role: 'reviewer', executor: 'cline' }),
        sessionRow({ id: 4, role: 'planner', status: 'completed', ...ended(30) }),
      ],
      attempts: [
        attemptRow({ id: 1, session_id: 1, status: 'succeeded', ...ended(10) }),
        attemptRow({ id: 2, session_id: 1, status: 'failed', ...ended(40) }),
        attemptRow({ id: 3, session_id: 1, status: 'stuck', ...ended(20) }),
        attemptRow({ id: 4, session_id: 1, status: 'abandoned', ...ended(900) }),
        attemptRow({ id: 5, session_id: 2 }),
        attemptRow({ id: 6, session_id: 3, feature_id: null, status: 'succeeded', ...ended(5) }),
      ],
    });
    const told = linesIn(state).map((line) => [
      `${line.executor} ${line.role}`,
      `${line.passed}/${line.judged}/${line.attempts}`,
      line.passRate === null ? null : Math.round(line.passRate * 100),
      line.medianMs,
    ]);
    expect(told).toEqual([
      ['builtin planner', '1/1/1', 100, 30_000],
      ['builtin worker', '0/0/1', null, null],
      ['cline worker', '1/3/4', 33, 20_000],
      ['cline reviewer', '1/1/1', 100, 5_000],
    ]);
  });

  it('books calls at the session that they are for, a subagent\u2019s too, and names those without a price', () => {
    const state = stateOf({
      sessions: [
        sessionRow({ id: 1 }),
        sessionRow({ id: 2, role: 'subagent', parent_id: 1 }),
        sessionRow({ id: 3, role: 'subagent', parent_id: 2 }),
        sessionRow({ id: 4, executor: 'codex' }),
        sessionRow({ id: 5, role: 'summarizer' }),
        sessionRow({ id: 6, role: 'project', job_id: null }),
      ],
      attempts: [1, 2].map((id) => attemptRow({ id, session_id: 1, status: 'succeeded', ...ended(id * 10) })),
      spends: [
        spendRow({ id: 1, session_id: 1, settled_micro_usd: 30 }),
        spendRow({ id: 2, session_id: 3, role: 'subagent', settled_micro_usd: 10 }),
        spendRow({ id: 3, session_id: 1, status: 'unsettled', reserved_micro_usd: 500 }),
        spendRow({ id: 4, session_id: 1, status: 'released' }),
        spendRow({ id: 5, session_id: 4, provider: 'own-account', settled_micro_usd: 0 }),
        spendRow({ id: 6, session_id: 4, provider: 'own-account', settled_micro_usd: 7 }),
        spendRow({ id: 7, session_id: 5 }),
        spendRow({ id: 8, session_id: 6, job_id: null }),
      ],
    });
    expect(linesIn(state)).toMatchObject([
      {
        executor: 'builtin',
        calls: 3,
        unpricedCalls: 0,
        settledUsd: 40e-6,
        reservedUsd: 0,
        unsettledUsd: 500e-6,
        usdPerPassed: 20e-6,
        medianMs: 15_000,
      },
      { executor: 'codex', calls: 2, unpricedCalls: 2, settledUsd: 7e-6, unsettledUsd: 0, usdPerPassed: null },
    ]);
    expect(linesIn(state, 'another')).toEqual([]);
  });
});
