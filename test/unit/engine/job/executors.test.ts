/** What the engine gives another agent: a ledger of its own account, an answer whether it may run, a clock that waits with it. */
import { describe, expect, it } from 'vitest';
import { attemptUse } from '../../../../src/core/money/attemptUse.ts';
import { need } from '../../../../src/core/state/rows.ts';
import { type JobContext, newMemory } from '../../../../src/engine/job/context.ts';
import { attemptClock, mayRun } from '../../../../src/engine/job/work/commands.ts';
import { ownAccount } from '../../../../src/engine/job/work/ownAccount.ts';
import type { LoopStore } from '../../../../src/engine/state/loopStore.ts';
import type { JobOptions } from '../../../../src/shared/job/rows.ts';
import type { EventDraft } from '../../../../src/shared/workspace/events.ts';
import type { TableName } from '../../../../src/shared/workspace/state.ts';
import { JOB_ID, newApproval, planOf } from '../../../support/state/builders.ts';
import { acceptedJob, approvalDecided, attemptBegun, type Fold, phaseStarted } from '../../../support/state/fold.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

interface World {
  readonly fold: Fold;
  readonly clock: FakeClock;
  readonly context: JobContext;
  /** Folds in what somebody else did. */
  happens(...drafts: readonly EventDraft[]): void;
}

function worldOf(options: Partial<JobOptions> = {}): World {
  const fold = acceptedJob(planOf({ Core: ['A'] }), options);
  fold.commit(phaseStarted(), ...attemptBegun(1, 1));
  const clock = new FakeClock();
  const ids = new Map<TableName, number>();
  const waiting: (() => void)[] = [];
  const tell = (): void => {
    for (const wake of waiting.splice(0)) wake();
  };
  const store: LoopStore = {
    state: fold.state,
    commit: async (draft) => {
      fold.commit(draft);
      tell();
      const event = fold.events.at(-1);
      if (event === undefined) throw new Error('nothing was committed');
      return event;
    },
    nextIds: async (table, count) => {
      const first = (ids.get(table) ?? 100) + 1;
      ids.set(table, first + count - 1);
      return Array.from({ length: count }, (_, index) => first + index);
    },
    changed: () => new Promise((resolve) => void waiting.push(resolve)),
  };
  const memory = newMemory();
  const context = {
    store,
    clock,
    memory,
    jobId: JOB_ID,
    signal: new AbortController().signal,
  } as unknown as JobContext;
  return {
    fold,
    clock,
    context,
    happens: (...drafts) => {
      fold.commit(...drafts);
      tell();
    },
  };
}

const usage = { input: 300, output: 100, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
const TWICE = { unpricedLimits: { calls: 2, tokens: 1_000 } };

describe('the ledger of an own account', () => {
  it('reserves what is left, and books what is reported', async () => {
    const { fold, context } = worldOf({ unpricedLimits: { calls: 9, tokens: 1_000 } });
    const booking = await ownAccount(context, 1).reserve(5_000);
    expect([...fold.state.spends.values()]).toMatchObject([
      { status: 'reserved', provider: 'own-account', reserved_tokens: 1_000, reserved_micro_usd: 0, attempt_id: 1 },
    ]);
    await booking.settle({ usage, costMicroUsd: 4_200.4 });
    expect([...fold.state.spends.values()]).toMatchObject([{ status: 'settled', settled_micro_usd: 4_200 }]);
    expect(attemptUse(fold.state, need(fold.state, 'sessions', 1))).toEqual({
      turns: 1,
      sessionTurns: 1,
      tokens: 400,
      contextTokens: 400,
    });
    await ownAccount(context, 1).reserve(200);
    expect([...fold.state.spends.values()].at(-1)).toMatchObject({ reserved_tokens: 200 });
  });

  it('counts a turn that reported nothing at its most', async () => {
    const { context } = worldOf(TWICE);
    const booking = await ownAccount(context, 1).reserve(5_000);
    await booking.unsettle('it did not say');
    await expect(ownAccount(context, 1).reserve(5_000)).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
      details: { limit: 'tokens', raiseTo: 2_000 },
    });
  });

  it('believes no report that cannot be: the turn counts at its most', async () => {
    const { fold, context } = worldOf({ unpricedLimits: { calls: 9, tokens: 9_000 } });
    const odd = [
      { usage, costMicroUsd: Number.POSITIVE_INFINITY },
      { usage, costMicroUsd: Number.NaN },
      { usage: { ...usage, output: 2 ** 60 }, costMicroUsd: null },
    ];
    for (const report of odd) await (await ownAccount(context, 1).reserve(9)).settle(report);
    expect([...fold.state.spends.values()].map((row) => row.status)).toEqual(odd.map(() => 'unsettled'));
  });

  it('counts a turn whose thread died at its most, once it goes on', async () => {
    const { fold, context } = worldOf({ unpricedLimits: { calls: 9, tokens: 1_000 } });
    await ownAccount(context, 1).reserve(400);
    await ownAccount(context, 1).reserve(5_000);
    expect([...fold.state.spends.values()]).toMatchObject([
      { status: 'unsettled', reserved_tokens: 400 },
      { status: 'reserved', reserved_tokens: 600 },
    ]);
  });

  it('ends at the calls, and at the money where it says what it costs', async () => {
    const { context } = worldOf(TWICE);
    for (const _ of [1, 2]) await (await ownAccount(context, 1).reserve(9)).settle({ usage, costMicroUsd: null });
    await expect(ownAccount(context, 1).reserve(9)).rejects.toMatchObject({ details: { limit: 'calls', most: 2 } });
    const dear = worldOf({ unpricedLimits: { calls: 9, tokens: 9_000 }, budgetMicroUsd: 1_000 });
    await (await ownAccount(dear.context, 1).reserve(9)).settle({ usage, costMicroUsd: 600 });
    await expect(ownAccount(dear.context, 1).reserve(9)).rejects.toMatchObject({ details: { limit: 'job' } });
  });

  it('is refused where nothing would bound it', async () => {
    await expect(ownAccount(worldOf().context, 1).reserve(9)).rejects.toMatchObject({ code: 'MODEL_UNPRICED' });
  });
});

describe('whether it may run without a sandbox', () => {
  it('is asked once, while the attempt takes no time', async () => {
    const { fold, clock, context, happens } = worldOf();
    const ticking = attemptClock(context);
    clock.advance(1_000);
    const answers = Promise.all([mayRun(context, 'scripted --acp', 'Scripted')]);
    await new Promise((resolve) => setImmediate(resolve));
    const [asked] = fold.state.approvals.values();
    expect(asked).toMatchObject({ kind: 'command', detail: 'scripted --acp', status: 'pending' });
    clock.advance(60_000);
    expect(ticking.monotonic()).toBe(1_000);
    happens(approvalDecided(asked?.id ?? 0, 'approved'));
    expect(await answers).toEqual([true]);
    clock.advance(500);
    expect(ticking.monotonic()).toBe(1_500);
    expect(await mayRun(context, 'scripted --acp', 'Scripted')).toBe(true);
    expect(fold.state.approvals.size).toBe(1);
  });

  it('is asked each time for a command: of two that wait for one yes, one has it', async () => {
    const { fold, context, happens } = worldOf();
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const given: boolean[] = [];
    for (const _ of [1, 2]) {
      void mayRun(context, 'sh run.sh').then((may) => given.push(may));
      await turn();
    }
    for (const yes of [1, 2]) {
      const pending = [...fold.state.approvals.values()].filter((row) => row.status === 'pending');
      expect(pending).toMatchObject([{ detail: 'sh run.sh' }]);
      happens(approvalDecided(pending[0]?.id ?? 0, 'approved'));
      await turn();
      expect(given).toHaveLength(yes);
    }
    expect([...fold.state.approvals.values()].map((row) => row.status)).toEqual(['void', 'void']);
  });

  it('is no when the steward says so', async () => {
    const { fold, context, happens } = worldOf();
    const answer = mayRun(context, 'scripted --acp');
    await new Promise((resolve) => setImmediate(resolve));
    happens(approvalDecided([...fold.state.approvals.keys()][0] ?? 0, 'rejected', 'No.'));
    expect(await answer).toBe(false);
  });

  it('is asked once more about an agent when the job that waits for it is to try again', async () => {
    const { fold, context, happens } = worldOf();
    const ask = async (decision: 'approved' | 'rejected'): Promise<boolean> => {
      const answer = mayRun(context, 'scripted --acp', 'Scripted');
      await new Promise((resolve) => setImmediate(resolve));
      const asked = [...fold.state.approvals.values()].find((row) => row.status === 'pending');
      happens(approvalDecided(asked?.id ?? 0, decision, 'So be it.'));
      return answer;
    };
    expect(await ask('rejected')).toBe(false);
    expect(await mayRun(context, 'scripted --acp', 'Scripted')).toBe(false);
    const [id = 0] = await context.store.nextIds('approvals', 1);
    const approval = newApproval({ id, kind: 'provider', subject: `failure:${id}` });
    happens({ type: 'approval_requested', approval }, approvalDecided(id, 'approved'));
    expect(await ask('rejected')).toBe(false);
    expect(fold.state.approvals.size).toBe(3);
  });
});
