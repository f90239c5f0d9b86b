import { expect, it } from 'vitest';
import { throttle } from '../../../../src/vscode/window/throttle.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

const SHORT = 16;

it('runs once for a burst, and again for what came during the pause', () => {
  const clock = new FakeClock();
  let runs = 0;
  const asked = throttle(clock, 100, () => {
    runs++;
  });
  for (let n = 0; n < 50; n++) asked.ask();
  expect(runs).toBe(0);
  clock.advance(SHORT);
  expect(runs).toBe(1);
  asked.ask();
  asked.ask();
  clock.advance(99);
  expect(runs).toBe(1);
  clock.advance(1);
  expect(runs).toBe(2);
});

it('goes on after a run that throws', () => {
  const clock = new FakeClock();
  let runs = 0;
  const asked = throttle(clock, 100, () => {
    runs++;
    if (runs === 1) throw new Error('at once');
  });
  asked.ask();
  expect(() => clock.advance(SHORT)).toThrow('at once');
  asked.ask();
  clock.advance(100);
  expect(runs).toBe(2);
});

it('sets no timer while nothing is asked for, and none after it was disposed', () => {
  const clock = new FakeClock();
  let runs = 0;
  const asked = throttle(clock, 100, () => {
    runs++;
  });
  asked.ask();
  asked.dispose();
  clock.advance(1_000);
  expect(runs).toBe(0);
});
