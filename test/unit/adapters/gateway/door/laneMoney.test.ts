/** The money of lanes on random graphs: no answer is paid twice, no budget is exceeded, and features that compete spend equally. */
import { expect, it } from 'vitest';
import { DEAREST, playMoney } from '../../../../support/budget/laneMoney.ts';
import { randomOf, SEED } from '../../../../support/suite/proof.ts';

const GRAPHS = 1_000;
/** Every tenth has long features: only those show whether a difference stays small. */
const LONG_EVERY = 10;
/** Lanes for each call in flight. */
const WAITING = 4;
/** Answers that are paid before shares are compared. */
const MANY = 10;

it(`hold on ${GRAPHS} random graphs (seed ${SEED})`, async () => {
  const dice = randomOf(SEED);
  const seen = { compared: 0, out: 0, waits: 0, refusals: 0 };
  for (let graph = 0; graph < GRAPHS; graph++) {
    const isLong = graph % LONG_EVERY === 0;
    const concurrency = 1 + dice(2);
    // Many more than calls in flight: then every lane that works waits for its turn.
    const lanes = WAITING * concurrency + dice(3);
    const features = isLong ? lanes + dice(3) : 3 + dice(6);
    const depends = Array.from({ length: features }, (_, at) => {
      const isFirst = at < (isLong ? WAITING * concurrency : 3);
      return isFirst || dice(3) > 0 ? [] : [dice(at)];
    });
    const budget = !isLong && dice(3) === 0 ? 2_000 + dice(15_000) : null;
    const calls = isLong ? 45 : 3 + dice(6);
    const played = await playMoney({ depends, lanes, concurrency, budget, calls }, dice);
    expect(played.broken, `graph ${graph}`).toEqual([]);
    const completed = [...played.state.features.values()].filter(({ status }) => status === 'completed');
    expect(completed.length === features || played.isOut, `graph ${graph}`).toBe(true);
    seen.out += Number(played.isOut);
    seen.waits += played.waits;
    seen.refusals += played.refusals;
    for (const spent of played.stretches) {
      const most = Math.max(...spent);
      if (spent.length < WAITING * concurrency || most < MANY * DEAREST) continue;
      seen.compared++;
      expect(most - Math.min(...spent), `graph ${graph}`).toBeLessThanOrEqual(0.2 * most);
    }
  }
  // What the game is about does happen in it.
  expect(Math.min(seen.compared, seen.out, seen.waits, seen.refusals)).toBeGreaterThan(50);
});
