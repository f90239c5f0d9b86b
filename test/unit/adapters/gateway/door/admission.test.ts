import { describe, expect, it } from 'vitest';
import { Admission } from '../../../../../src/adapters/gateway/door/admission.ts';
import type { MessageRequest } from '../../../../../src/adapters/gateway/send/request.ts';
import { bookingDay, overrunMicroUsd } from '../../../../../src/core/money/budget.ts';
import { PRICES } from '../../../../../src/core/money/price/prices.ts';
import { countedMicroUsd } from '../../../../../src/core/state/rows.ts';
import type { Store } from '../../../../../src/engine/state/store.ts';
import { allEnd, callOf, NOTHING_USED } from '../../../../support/budget/calls.ts';
import { addJob, addSession, memoryLog, openMemoryStore, setLimits } from '../../../../support/state/memoryStore.ts';
import { amount } from '../../../../support/suite/proof.ts';
import { fc } from '../../../../support/suite/property.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

const NEVER = new AbortController().signal;

function counted(store: Store, jobId?: string): number {
  const rows = [...store.state.spends.values()].filter((row) => jobId === undefined || row.job_id === jobId);
  return rows.reduce((sum, row) => sum + countedMicroUsd(row), 0);
}

async function opened(budgetMicroUsd: number | null = null) {
  const clock = new FakeClock();
  const log = memoryLog();
  const store = await openMemoryStore(clock, log);
  await addJob(store, 'a', { budgetMicroUsd });
  const session = await addSession(store, 'a');
  return { clock, log, store, session, admission: new Admission(store, PRICES, clock) };
}

describe('parallel calls', () => {
  it('never overshoot a limit, whatever they cost and however they end', async () => {
    const end = fc.constantFrom('settle', 'settle', 'settle', 'release', 'unsettle');
    // maxTokens 1 is $0.00001: ten micro-USD.
    const call = fc.record({
      job: fc.constantFrom('a', 'b'),
      maxTokens: fc.integer({ min: 1, max: 50 }),
      used: fc.double({ min: 0, max: 1, noNaN: true }),
      end,
    });
    const limits = fc.record({
      a: fc.integer({ min: 0, max: 2000 }),
      b: fc.integer({ min: 0, max: 2000 }),
      dayMicroUsd: fc.integer({ min: 100, max: 3000 }),
      totalMicroUsd: fc.integer({ min: 100, max: 4000 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(call, { minLength: 1, maxLength: 32 }),
        limits,
        async (s, calls, limit) => {
          const clock = new FakeClock();
          const store = await openMemoryStore(clock);
          await setLimits(store, { dayMicroUsd: limit.dayMicroUsd, totalMicroUsd: limit.totalMicroUsd });
          const sessions = new Map<string, number>();
          for (const job of ['a', 'b'] as const) {
            await addJob(store, job, { budgetMicroUsd: limit[job] });
            sessions.set(job, await addSession(store, job));
          }
          const admission = new Admission(store, PRICES, clock);
          store.subscribe(() => {
            expect(counted(store)).toBeLessThanOrEqual(Math.min(limit.dayMicroUsd, limit.totalMicroUsd));
            expect(counted(store, 'a')).toBeLessThanOrEqual(limit.a);
            expect(counted(store, 'b')).toBeLessThanOrEqual(limit.b);
          });
          const run = async ({ job, maxTokens, used, end: how }: (typeof calls)[number]) => {
            const money = await admission.reserve(
              callOf(sessions.get(job) ?? 0, maxTokens),
              { name: 'anthropic' },
              null,
              NEVER,
            );
            await s.schedule(Promise.resolve());
            if (how === 'settle') await money.settle({ ...NOTHING_USED, output: Math.floor(maxTokens * used) });
            else await money[how]('test');
          };
          await allEnd(s, store, calls.map(run));
        },
      ),
      { numRuns: amount({ short: 40, long: 5_000 }) },
    );
  });

  it('wait for one another when only what is in flight is in the way', async () => {
    const { store, session, admission } = await opened(150);
    const first = await admission.reserve(callOf(session, 10), { name: 'anthropic' }, null, NEVER);
    const second = admission.reserve(callOf(session, 10), { name: 'anthropic' }, null, NEVER);
    await setLimits(store, {});
    expect(store.state.spends.size).toBe(1);
    await first.settle({ ...NOTHING_USED, output: 5 });
    await (await second).settle({ ...NOTHING_USED, output: 10 });
    expect(counted(store)).toBe(150);
    await expect(admission.reserve(callOf(session, 1), { name: 'anthropic' }, null, NEVER)).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
      details: { limit: 'job', limitMicroUsd: 150, spentMicroUsd: 150, wantedMicroUsd: 10, resetsAt: null },
    });
  });

  it('of a provider that costs half reserves and books half, and says so in its row', async () => {
    const { store, session, admission } = await opened(150);
    const half = { name: 'anthropic', priceFactor: 0.5 } as const;
    const money = await admission.reserve(callOf(session, 20), half, null, NEVER);
    expect(counted(store)).toBe(100);
    await money.settle({ ...NOTHING_USED, output: 20 });
    expect(counted(store)).toBe(100);
    expect([...store.state.spends.values()].map((row) => row.price_version)).toEqual([`${PRICES.version} × 0.5`]);
  });

  it('a refusal tells money as the board does: settled, not settled, in flight; and what would be enough', async () => {
    const { session, admission } = await opened(500);
    await (await admission.reserve(callOf(session, 10), { name: 'anthropic' }, null, NEVER)).settle({
      ...NOTHING_USED,
      output: 5,
    });
    await (await admission.reserve(callOf(session, 20), { name: 'anthropic' }, null, NEVER)).unsettle('cut off');
    await admission.reserve(callOf(session, 7), { name: 'anthropic' }, null, NEVER);
    await expect(admission.reserve(callOf(session, 40), { name: 'anthropic' }, null, NEVER)).rejects.toMatchObject({
      message: expect.stringContaining('$0.0001 settled, $0.0002 not settled, $0.0001 in flight, up to $0.0004 wanted'),
      details: { spentMicroUsd: 250, reservedMicroUsd: 70, wantedMicroUsd: 400, raiseTo: 10_000 },
    });
  });

  it('stop waiting when aborted', async () => {
    const { session, admission } = await opened(150);
    await admission.reserve(callOf(session, 10), { name: 'anthropic' }, null, NEVER);
    const abort = new AbortController();
    const second = admission.reserve(callOf(session, 10), { name: 'anthropic' }, null, abort.signal);
    abort.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
  });
});

it('settles an overrun truthfully', async () => {
  const { store, session, admission } = await opened();
  const money = await admission.reserve(callOf(session, 10), { name: 'anthropic' }, null, NEVER);
  await money.settle({ ...NOTHING_USED, output: 25 });
  const [row] = [...store.state.spends.values()];
  expect(row).toMatchObject({ reserved_micro_usd: 100, settled_micro_usd: 250 });
  expect(row === undefined ? 0 : overrunMicroUsd(row)).toBe(150);
});

it('asks for the exact count only when the bound does not fit', async () => {
  const { store, session, admission } = await opened(100_000);
  let asked = 0;
  const count = async () => {
    asked++;
    return 1000;
  };
  const call = callOf(session, 10);
  const small = await admission.reserve({ ...call, inputBound: 10_000 }, { name: 'anthropic' }, count, NEVER);
  await small.release('test');
  expect(asked).toBe(0);
  const large = await admission.reserve({ ...call, inputBound: 900_000 }, { name: 'anthropic' }, count, NEVER);
  expect(asked).toBe(1);
  expect(counted(store)).toBe(2600);
  await large.release('test');
  const none = async () => null;
  await expect(
    admission.reserve({ ...call, inputBound: 900_000 }, { name: 'anthropic' }, none, NEVER),
  ).rejects.toMatchObject({
    code: 'LIMIT_REACHED',
  });
});

describe('a limit below what the usual answer may cost', () => {
  // Sonnet: $0.00001 for a token of the answer, so 16,000 tokens are $0.16.
  const asks = (session: number, more: Partial<MessageRequest> = {}): MessageRequest => ({
    ...callOf(session, 16_000),
    ...more,
  });

  it('shortens the answer to what it can pay for', async () => {
    const { store, session, admission } = await opened(100_000);
    const money = await admission.reserve(asks(session), { name: 'anthropic' }, null, NEVER);
    expect(money.maxTokens).toBe(10_000);
    expect(counted(store)).toBe(100_000);
  });

  it('counts the prompt first, and takes the smallest of all limits', async () => {
    const { store, session, admission } = await opened(100_000);
    await setLimits(store, { dayMicroUsd: 90_000 });
    const call = asks(session, { inputBound: 10_000 });
    const money = await admission.reserve(call, { name: 'anthropic' }, async () => 1_000, NEVER);
    // 1,250 tokens of prompt are $0.0025.
    expect(money.maxTokens).toBe(8_750);
    expect(counted(store)).toBe(90_000);
  });

  it.each(['planner', 'worker', 'reviewer', 'summarizer', 'main', 'project', 'subagent', 'task'] as const)(
    'asks for the usual answer of a %s below the shortest useful one',
    async (role) => {
      const { store, admission } = await opened(9_990);
      const session = await addSession(store, 'a', role);
      await expect(admission.reserve(asks(session), { name: 'anthropic' }, null, NEVER)).rejects.toMatchObject({
        code: 'LIMIT_REACHED',
        details: { limit: 'job', wantedMicroUsd: 160_000, raiseTo: 320_000 },
      });
    },
  );

  it('leaves room for the thinking that the request asks for', async () => {
    const { session, admission } = await opened(100_000);
    const short = await admission.reserve(asks(session, { thinking: 6_000 }), { name: 'anthropic' }, null, NEVER);
    expect(short.maxTokens).toBe(10_000);
    await short.release('test');
    for (const thinking of [6_001, null])
      await expect(
        admission.reserve(asks(session, { thinking }), { name: 'anthropic' }, null, NEVER),
      ).rejects.toMatchObject({
        code: 'LIMIT_REACHED',
      });
  });

  it('does not shorten an answer for what is only in flight: the call waits', async () => {
    const { store, session, admission } = await opened(200_000);
    const first = await admission.reserve(asks(session), { name: 'anthropic' }, null, NEVER);
    const second = admission.reserve(asks(session), { name: 'anthropic' }, null, NEVER);
    await setLimits(store, {});
    expect(store.state.spends.size).toBe(1);
    await first.settle({ ...NOTHING_USED, output: 500 });
    expect((await second).maxTokens).toBe(16_000);
  });

  it('asks instead of cutting a second answer in a row', async () => {
    const { store, session, admission } = await opened(100_000);
    const first = await admission.reserve(asks(session), { name: 'anthropic' }, null, NEVER);
    await first.settle({ ...NOTHING_USED, output: 4_000 });
    const second = await admission.reserve(asks(session), { name: 'anthropic' }, null, NEVER);
    expect(second.maxTokens).toBe(6_000);
    await second.settle({ ...NOTHING_USED, output: 5_000 });
    await store.commit({ type: 'job_options_changed', job_id: 'a', budgetMicroUsd: 140_000, by: 'steward' });
    const third = await admission.reserve(asks(session), { name: 'anthropic' }, null, NEVER);
    await third.settle({ ...NOTHING_USED, output: 5_000 });
    expect(third.maxTokens).toBe(5_000);
    await store.commit({ type: 'job_options_changed', job_id: 'a', budgetMicroUsd: 200_000, by: 'steward' });
    await expect(admission.reserve(asks(session), { name: 'anthropic' }, null, NEVER)).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
    });
    await store.commit({ type: 'job_options_changed', job_id: 'a', budgetMicroUsd: 400_000, by: 'steward' });
    expect((await admission.reserve(asks(session), { name: 'anthropic' }, null, NEVER)).maxTokens).toBe(16_000);
  });

  it('is the same for tokens where nothing has a price', async () => {
    const { store, admission } = await opened();
    await addJob(store, 'b', { provider: 'vscode-lm', unpricedLimits: { calls: 9, tokens: 10_000 } });
    const session = await addSession(store, 'b');
    const money = await admission.reserve(asks(session, { inputBound: 1_000 }), { name: 'vscode-lm' }, null, NEVER);
    expect(money.maxTokens).toBe(9_000);
  });
});

describe('an answer that broke off', () => {
  const call = (session: number): MessageRequest => ({ ...callOf(session, 1_000), inputBound: 5_000 });

  it('is held at its reported prompt and the longest answer', async () => {
    const { store, session, admission } = await opened();
    const money = await admission.reserve(call(session), { name: 'anthropic' }, null, NEVER);
    expect(counted(store)).toBe(20_000);
    await money.unsettle('cut', { prompt: { ...NOTHING_USED, input: 100, cacheRead: 1_000 }, answered: null });
    expect(counted(store)).toBe(100 * 2 + 1_000 * 0.1 + 10_000);
    expect([...store.state.spends.values()]).toMatchObject([
      { status: 'unsettled', reserved_micro_usd: 10_300, reserved_tokens: 2_100 },
    ]);
  });

  it.each([
    ['has no price', 'nobody-1'],
    ['costs more than was reserved', 'claude-fable-5-1'],
  ])('is held at its most if the model that answers %s', async (_, answered) => {
    const { store, session, admission } = await opened();
    const money = await admission.reserve(call(session), { name: 'anthropic' }, null, NEVER);
    await money.unsettle('cut', { prompt: { ...NOTHING_USED, input: 100 }, answered });
    expect(counted(store)).toBe(20_000);
  });
});

describe('days', () => {
  it('open the day limit at local midnight, and not again when the clock goes back', async () => {
    const { clock, store, session, admission } = await opened();
    await setLimits(store, { dayMicroUsd: 100 });
    await (await admission.reserve(callOf(session, 10), { name: 'anthropic' }, null, NEVER)).settle({
      ...NOTHING_USED,
      output: 10,
    });
    const refused = await admission
      .reserve(callOf(session, 10), { name: 'anthropic' }, null, NEVER)
      .catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ code: 'LIMIT_REACHED', details: { limit: 'day' } });
    const resetsAt = Date.parse(String((refused as { details: Record<string, unknown> }).details['resetsAt']));
    clock.setWall(resetsAt - 1);
    await expect(admission.reserve(callOf(session, 10), { name: 'anthropic' }, null, NEVER)).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
    });
    clock.setWall(resetsAt);
    await (await admission.reserve(callOf(session, 10), { name: 'anthropic' }, null, NEVER)).settle({
      ...NOTHING_USED,
      output: 10,
    });
    clock.setWall(resetsAt - 86_400_000 * 3650);
    await expect(admission.reserve(callOf(session, 10), { name: 'anthropic' }, null, NEVER)).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
    });
    expect(store.state.meta.last_day).toBe(bookingDay('', resetsAt));
  });
});

describe('a ledger that fails', () => {
  it('lets no call leave, and keeps count of what is in flight', async () => {
    const { log, store, session, admission } = await opened(150);
    log.broken = new Error('disk');
    await expect(admission.reserve(callOf(session, 10), { name: 'anthropic' }, null, NEVER)).rejects.toThrow('disk');
    log.broken = null;
    const money = await admission.reserve(callOf(session, 10), { name: 'anthropic' }, null, NEVER);
    log.broken = new Error('disk');
    await expect(money.settle({ ...NOTHING_USED, output: 1 })).rejects.toThrow('disk');
    log.broken = null;
    await setLimits(store, {});
    expect(counted(store)).toBe(100);
    // Nothing is in flight any more: it is refused, not left waiting.
    await expect(admission.reserve(callOf(session, 10), { name: 'anthropic' }, null, NEVER)).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
    });
  });
});

describe('sessions', () => {
  it('that are over, unknown, or of a stopped job get nothing', async () => {
    const { store, session, admission } = await opened();
    await expect(admission.reserve(callOf(99, 1), { name: 'anthropic' }, null, NEVER)).rejects.toMatchObject({
      code: 'NOT_PERMITTED',
    });
    await store.commit({ type: 'job_paused', job_id: 'a', reason: 'test', by: 'steward' });
    await expect(admission.reserve(callOf(session, 1), { name: 'anthropic' }, null, NEVER)).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });
});
