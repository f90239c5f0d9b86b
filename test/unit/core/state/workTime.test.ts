/** Sessions and attempts count the time that they worked, and none between a crash, pause or wait and the resumption. */
import { describe, expect, test } from 'vitest';
import { jobSummary } from '../../../../src/core/job/view/job.ts';
import { ledgerOf } from '../../../../src/core/money/ledger.ts';
import { executorLines } from '../../../../src/core/money/view/executorCosts.ts';
import { ledgerWithUses } from '../../../../src/core/money/view/sessionUses.ts';
import { timed, workingSince } from '../../../../src/core/state/workTime.ts';
import { costView } from '../../../../src/core/workspace/costPanel.ts';
import { reduce } from '../../../../src/core/workspace/reduce.ts';
import { NOTHING_AT_WORK } from '../../../../src/shared/workspace/atWork.ts';
import type { EventDraft } from '../../../../src/shared/workspace/events.ts';
import { applyChanges, type State } from '../../../../src/shared/workspace/state.ts';
import { JOB_ID, PROJECT_ID, planOf, START_MS } from '../../../support/state/builders.ts';
import { acceptedJob, attemptBegun, attemptEnded, phaseStarted, sessionEnd } from '../../../support/state/fold.ts';

const job_id = JOB_ID;
const iso = (second: number) => new Date(START_MS + second * 1000).toISOString();

/** Commits each draft at its second, in the epoch that the drafts before it began. */
function history(...drafts: readonly (readonly [number, EventDraft])[]): State {
  const { state } = acceptedJob(planOf({ Core: ['a'] }));
  let seq = 100;
  let epoch = 1;
  for (const [second, draft] of [[99, phaseStarted()] as const, ...drafts]) {
    if (draft.type === 'owner_started') epoch++;
    applyChanges(state, reduce(state, { ...draft, seq: ++seq, epoch, at: iso(second) }));
  }
  return state;
}

const [session, attempt] = attemptBegun(1, 1) as readonly [EventDraft, EventDraft];
const owner = { type: 'owner_started', pid: 2, release: 'test' } as const;
const resumed = { type: 'attempt_resumed', id: 1, job_id } as const;
const interrupted = (cause: 'crash' | 'pause' | 'unavailable') =>
  ({ type: 'attempt_interrupted', id: 1, job_id, cause }) as const;
const ended = attemptEnded({ id: 1, status: 'succeeded', commit: 'c', session: sessionEnd(1) });
const planner = {
  type: 'session_started',
  id: 1,
  job_id,
  project_id: PROJECT_ID,
  role: 'planner',
  model: 'm',
  phase_id: null,
  notes: [],
} as const;
const plannerEnd = { type: 'session_ended', session: sessionEnd(1) } as const;

const reserved = (id: number): EventDraft => ({
  type: 'call_reserved',
  id,
  session_id: 1,
  provider: 'anthropic',
  model: 'm',
  day: '2026-11-02',
  micro_usd: 1,
  price_version: '1',
});
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
const settled = (id: number): EventDraft => ({ type: 'call_settled', id, usage, micro_usd: 1 });

const seconds = (state: State) => ({
  session: (state.sessions.get(1)?.worked_ms ?? 0) / 1000,
  attempt: (state.attempts.get(1)?.worked_ms ?? 0) / 1000,
});

describe('a session with an attempt', () => {
  test('that ran through worked from its start to its end', () => {
    expect(seconds(history([100, session], [110, attempt], [200, ended]))).toEqual({ session: 100, attempt: 90 });
  });

  test('does not count the time between a crash of the owner and its resumption', () => {
    const state = history(
      [100, session],
      [100, attempt],
      [110, reserved(1)],
      [130, settled(1)],
      // The owner died some time after; the next one starts hours later.
      [10_000, owner],
      [10_005, resumed],
      [10_025, ended],
    );
    expect(seconds(state)).toEqual({ session: 50, attempt: 50 });
    expect(jobSummary(state, job_id).durationMs).toBe(50_000);
    expect(executorLines(state, ledgerOf(state.spends.values())).find(({ role }) => role === 'worker')?.medianMs).toBe(
      50_000,
    );
    expect(
      costView(state, '2026-11-02', ledgerWithUses(state.spends.values()), NOTHING_AT_WORK).tables?.sessions[0]
        ?.workedMs,
    ).toBe(50_000);
  });

  test('counts no time twice, if it crashes again before it called', () => {
    const state = history(
      [100, session],
      [100, attempt],
      [110, reserved(1)],
      [130, settled(1)],
      [1000, owner],
      [1000, resumed],
      [2000, owner],
      [2000, resumed],
      [2010, ended],
    );
    expect(seconds(state)).toEqual({ session: 40, attempt: 40 });
  });

  test.each(['pause', 'unavailable', 'crash'] as const)(
    'does not count the time after an interruption by %s',
    (cause) => {
      const state = history([100, session], [100, attempt], [120, interrupted(cause)], [5000, resumed], [5030, ended]);
      expect(seconds(state)).toEqual({ session: 50, attempt: 50 });
    },
  );

  test('that is never resumed ends with what it had worked', () => {
    const cancelled = { type: 'job_cancelled', job_id, reason: 'no', by: 'steward' } as const;
    const state = history(
      [100, session],
      [100, attempt],
      [110, reserved(1)],
      [130, settled(1)],
      [9000, owner],
      [9900, cancelled],
    );
    expect(seconds(state)).toEqual({ session: 30, attempt: 30 });
    expect(state.sessions.get(1)?.active_since).toBeNull();
  });

  test('shows the running time without the gap', () => {
    const state = history([100, session], [100, attempt], [120, interrupted('pause')], [5000, resumed]);
    const row = state.attempts.get(1);
    expect(row && workingSince(row)).toBe(iso(4980));
  });
});

describe('a session without an attempt', () => {
  test('rests with its owner, and works again with its next call', () => {
    const state = history(
      [100, planner],
      [101, reserved(1)],
      [110, settled(1)],
      [7000, owner],
      [7010, reserved(2)],
      [7020, settled(2)],
      [7020, plannerEnd],
    );
    expect(seconds(state).session).toBe(20);
  });

  test.each<readonly [string, EventDraft]>([
    ['paused', { type: 'job_paused', job_id, reason: 'stop', by: 'steward' }],
    ['waiting', { type: 'job_waiting', job_id, reason: 'limit', wake_at: iso(5000) }],
    ['asking', { type: 'job_awaiting', job_id, reason: 'key?' }],
  ])('rests while its job is %s', (_how, stands) => {
    const state = history(
      [100, planner],
      [101, reserved(1)],
      [110, settled(1)],
      [115, stands],
      [6000, reserved(2)],
      [6010, settled(2)],
      [6010, plannerEnd],
    );
    expect(seconds(state).session).toBe(25);
  });
});

test('a row of an older version worked from its start to its end', () => {
  expect(timed({ started_at: iso(1), ended_at: iso(5) })).toMatchObject({ worked_ms: 4000, active_since: null });
  expect(timed({ started_at: iso(1), ended_at: null })).toMatchObject({ worked_ms: 0, active_since: iso(1) });
});
