/** Calls that wait share by what they cost: features that compete spend equally, and none waits for ever. */
import { setImmediate } from 'node:timers/promises';
import PQueue from 'p-queue';
import { describe, expect, it } from 'vitest';
import {
  type FairOptions,
  type FairQueue,
  FairShares,
  fairQueueOn,
} from '../../../../../src/adapters/gateway/door/fairQueue.ts';
import { fc } from '../../../../support/suite/property.ts';

interface Served {
  readonly spent: Readonly<Record<string, number>>;
  readonly order: readonly string[];
}

/** `costs`: the cost of each account's next calls, repeated. Each account always has one call that waits. */
function serve(
  costs: Readonly<Record<string, readonly number[]>>,
  calls: number,
  late: readonly string[] = [],
): Served {
  const shares = new FairShares();
  const queue = new (fairQueueOn(shares))();
  const spent: Record<string, number> = {};
  const counts: Record<string, number> = {};
  const order: string[] = [];
  const ask = (account: string): void => {
    queue.enqueue(
      async () => {
        const nth = counts[account] ?? 0;
        const cost = costs[account]?.[nth % (costs[account]?.length ?? 1)] ?? 0;
        counts[account] = nth + 1;
        spent[account] = (spent[account] ?? 0) + cost;
        order.push(account);
        shares.charge(account, cost);
        ask(account);
      },
      { account },
    );
  };
  for (const account of Object.keys(costs)) if (!late.includes(account)) ask(account);
  for (let call = 0; call < calls; call++) {
    if (call === Math.floor(calls / 2)) for (const account of late) ask(account);
    void queue.dequeue()?.();
  }
  return { spent, order };
}

/** What each account has spent after `time`. A call takes as long as it costs, and `concurrency` of them are in flight at once. */
async function overlapping(
  costs: Readonly<Record<string, number>>,
  concurrency: number,
  time: number,
): Promise<Record<string, number>> {
  const shares = new FairShares();
  const queue = new PQueue<FairQueue, FairOptions>({ concurrency, queueClass: fairQueueOn(shares) });
  const spent: Record<string, number> = {};
  const flights = new Set<{ readonly end: number; readonly land: () => void }>();
  let now = 0;
  const spend = async (account: string, cost: number): Promise<void> => {
    const call = async (): Promise<void> => {
      await new Promise<void>((land) => flights.add({ end: now + cost, land }));
      spent[account] = (spent[account] ?? 0) + cost;
      shares.charge(account, cost);
    };
    while (now < time) await queue.add(call, { account });
  };
  const all = Promise.all(Object.entries(costs).map(([account, cost]) => spend(account, cost)));
  for (await setImmediate(); flights.size > 0; await setImmediate()) {
    now = Math.min(...[...flights].map(({ end }) => end));
    for (const flight of flights) {
      if (flight.end > now) continue;
      flights.delete(flight);
      flight.land();
    }
  }
  await all;
  return spent;
}

describe('the queue of calls', () => {
  it('lets features that compete spend equally, whatever their calls cost', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 }), {
          minLength: 2,
          maxLength: 6,
        }),
        (rows) => {
          const costs = Object.fromEntries(rows.map((row, index) => [`feature ${index}`, row]));
          const amounts = Object.values(serve(costs, 2_000).spent);
          expect(Math.max(...amounts) - Math.min(...amounts)).toBeLessThanOrEqual(100);
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([50, 100])(
    'counts nothing for the time that a call is in flight: of 16 features, one makes calls of %i',
    async (dear) => {
      const costs = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`feature ${at}`, at === 0 ? dear : 10]));
      const amounts = Object.values(await overlapping(costs, 4, 4_000));
      // A call that has begun is paid to its end.
      expect(Math.max(...amounts) - Math.min(...amounts)).toBeLessThanOrEqual(dear + 10);
    },
  );

  it('lets a feature that comes later catch up with nobody, and wait for nobody', () => {
    const { order } = serve({ a: [10], b: [10], late: [10] }, 60, ['late']);
    const counts = (part: readonly string[]) =>
      ['a', 'b', 'late'].map((name) => part.filter((one) => one === name).length);
    expect(counts(order.slice(0, 30))).toEqual([15, 15, 0]);
    expect(counts(order.slice(30))).toEqual([10, 10, 10]);
  });

  it('serves a higher priority first, and calls without an account in their order', () => {
    const queue = new (fairQueueOn(new FairShares()))();
    const order: string[] = [];
    const add = (name: string, priority: number) => queue.enqueue(async () => order.push(name), { priority });
    add('first', 1);
    add('second', 1);
    add('person', 3);
    while (queue.size > 0) void queue.dequeue()?.();
    expect(order).toEqual(['person', 'first', 'second']);
  });
});
