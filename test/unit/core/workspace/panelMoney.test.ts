import { describe, expect, it } from 'vitest';
import { bookingDay, dayEnd } from '../../../../src/core/money/budget.ts';
import { panelMaker } from '../../../../src/core/workspace/panel.ts';
import { NO_LOOK } from '../../../../src/shared/workspace/panel.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';
import { featureRow, jobRow, phaseRow, sessionRow, spendRow, stateOf } from '../../../support/state/builders.ts';

const TODAY = bookingDay('', Date.parse('2026-11-02T12:00:00Z'));
const FRAME = { banner: null, mode: 'owner' } as const;

function viewOf(patch: Parameters<typeof stateOf>[0]) {
  const state: State = stateOf({ jobs: [jobRow()], phases: [phaseRow()], features: [featureRow()], ...patch });
  return panelMaker().view(state, TODAY, FRAME, { ...NO_LOOK, costs: true }, 0);
}

const SPENDS = [
  spendRow({ id: 1, day: TODAY, provider: 'anthropic' }),
  spendRow({ id: 2, day: TODAY, provider: 'anthropic', status: 'reserved', role: 'reviewer' }),
  spendRow({ id: 3, day: TODAY, provider: 'anthropic', status: 'unsettled' }),
  spendRow({ id: 4, day: TODAY, provider: 'anthropic', status: 'released' }),
];

describe('the money of the panel', () => {
  it('keeps what is open apart from what is settled', () => {
    const { jobs, cards, costs } = viewOf({ spends: SPENDS });
    expect(jobs[0]).toMatchObject({ costUsd: 0.00004, reservedUsd: 0.0001, unsettledUsd: 0.0001 });
    expect(cards[0]?.costUsd).toBe(0.00004);
    expect(costs).toMatchObject({ todayUsd: 0.00024, todayOpenUsd: 0.0002, total: { calls: 3, unpricedCalls: 0 } });
  });

  it('counts what has no price by its calls', () => {
    const { costs } = viewOf({ spends: [spendRow({ provider: 'vscode-lm', settled_micro_usd: 0 })] });
    expect(costs.tables?.byModel[0]).toMatchObject({ calls: 1, unpricedCalls: 1, settledUsd: 0 });
  });

  it('draws for each role what is spent, and lists the newest session first', () => {
    const planned = spendRow({ id: 9, day: TODAY, role: 'planner' });
    const { costs } = viewOf({
      spends: [planned, ...SPENDS],
      sessions: [sessionRow({ id: 1 }), sessionRow({ id: 2 })],
    });
    expect(costs.tables?.series.roles).toEqual(['planner', 'worker']);
    expect(costs.tables?.series.points.map(({ usd }) => usd)).toEqual([
      [0.00004, 0],
      [0.00004, 0.00004],
      [0.00004, 0.00014],
    ]);
    expect(costs.tables?.sessions.map(({ id }) => id)).toEqual([2, 1]);
  });

  it('knows a job that waits for the next day from one that waits for its provider', () => {
    const waits = (wake_at: string, reason: string | null = null) =>
      viewOf({ jobs: [jobRow({ status: 'waiting', wake_at, reason })] }).jobs[0]?.waitsForDay;
    expect(waits(dayEnd(TODAY))).toBe(true);
    expect(waits(dayEnd(TODAY), 'the day limit of $1.0000 is reached')).toBe(true);
    expect(waits('2026-11-02T12:01:00.000Z')).toBe(false);
    // Of its project's day another limit tells, and to set the one of all would not help it.
    expect(waits(dayEnd(TODAY), "the project's daily limit of $1.0000 is reached")).toBe(false);
  });
});
