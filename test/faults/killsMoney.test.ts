/** What the proof of kills says of money, on ledgers and bills made by hand: each wrong one is caught, and none that is right. */
import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/shared/workspace/events.ts';
import { moneyIn } from '../support/invariants/money.ts';
import type { BilledCall } from '../support/provider/messagesServer.ts';
import type { Logged } from '../support/state/eventFiles.ts';
import { planted } from '../support/suite/planted.ts';

const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
const SECOND = 1_000;

type Line =
  | readonly [at: number, type: 'owner_started']
  | readonly [at: number, type: 'call_reserved' | 'call_settled' | 'call_released' | 'call_unsettled', id: number];

/** All calls are of one model, and reserve and cost the same. */
function ledger(lines: readonly Line[], { reserved = 100, cost = 50 } = {}): Logged[] {
  let epoch = 0;
  return lines.map(([at, type, id = 0]) => {
    if (type === 'owner_started') epoch++;
    const micro_usd = type === 'call_reserved' ? reserved : cost;
    const call = { id, session_id: id, micro_usd, model: 'm', usage, reason: 'why' };
    return { type, epoch, at: new Date(at * SECOND).toISOString(), ...call } as unknown as Event as Logged;
  });
}

const billed = (...times: readonly number[]): BilledCall[] =>
  times.map((at, index) => {
    return { index, id: `${index}`, model: 'm', usage, microUsd: 50, at: at * SECOND, answered: true, cut: false };
  });

const RIGHT: readonly Line[] = [
  [0, 'owner_started'],
  [1, 'call_reserved', 1],
  [3, 'call_settled', 1],
  [4, 'call_reserved', 2],
  [9, 'owner_started'],
  [10, 'call_reserved', 3],
  [12, 'call_unsettled', 3],
  [13, 'call_reserved', 4],
  [15, 'call_released', 4],
];

describe('a ledger and a bill', () => {
  test('that agree: settled, killed before the answer or before the request, cut, and refused', () => {
    const well = { invented: 0, lost: 0, overReserved: 0, driftMicroUsd: 0, tooMany: [], paidTwice: 0 };
    expect(moneyIn(ledger(RIGHT), billed(2, 5, 11))).toMatchObject(well);
    expect(moneyIn(ledger(RIGHT), billed(2, 11))).toMatchObject(well);
  });

  planted('a billed call that was given back, beside a killed one that never left', () => {
    expect(moneyIn(ledger(RIGHT), billed(2, 11, 14))).toMatchObject({ invented: 0, lost: 1 });
  });

  planted('a call that is settled and was never billed, beside one of the same price that was', () => {
    expect(moneyIn(ledger(RIGHT), billed(5, 11))).toMatchObject({ invented: 1, lost: 0 });
  });

  planted('less reserved than the call may cost', () => {
    expect(moneyIn(ledger(RIGHT, { reserved: 40 }), billed(2))).toMatchObject({ overReserved: 1, lost: 0 });
    expect(moneyIn(ledger(RIGHT, { reserved: 40 }), billed(2, 5))).toMatchObject({ overReserved: 1, lost: 1 });
  });

  test('of calls side by side, each line finds one that may be its own', () => {
    const lines: readonly Line[] = [
      [0, 'owner_started'],
      [1, 'call_reserved', 1],
      [1, 'call_reserved', 2],
      [2, 'call_reserved', 3],
      [4, 'call_settled', 2],
      [8, 'call_settled', 1],
      [9, 'owner_started'],
    ];
    expect(moneyIn(ledger(lines), billed(5, 6, 7))).toMatchObject({ invented: 1, lost: 1 });
    expect(moneyIn(ledger(lines), billed(1, 3, 7))).toMatchObject({ invented: 0, lost: 0 });
  });
});
