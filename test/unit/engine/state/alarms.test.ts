import { expect, test } from 'vitest';
import { Alarms } from '../../../../src/engine/state/alarms.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

const HOUR_MS = 3_600_000;

function begin() {
  const clock = new FakeClock();
  const rung: string[] = [];
  return { clock, rung, alarms: new Alarms(clock, (name) => rung.push(name)) };
}

test('rings by whichever clock is there first, each name once, on one timer', () => {
  const { clock, rung, alarms } = begin();
  alarms.set('later', { inMs: 2 * HOUR_MS, at: clock.now() + 2 * HOUR_MS });
  alarms.set('sooner', { inMs: HOUR_MS });
  expect(clock.pending).toBe(1);
  clock.advance(HOUR_MS);
  expect(rung).toEqual(['sooner']);
  clock.advance(HOUR_MS);
  expect(rung).toEqual(['sooner', 'later']);
  expect(clock.pending).toBe(0);
});

test('a wall clock that is put back prolongs nothing; one that is put forward, or a machine that slept, is noticed within 15 s', () => {
  const { clock, rung, alarms } = begin();
  alarms.set('wait', { inMs: HOUR_MS, at: clock.now() + HOUR_MS });
  clock.setWall(clock.now() - 24 * HOUR_MS);
  clock.advance(HOUR_MS);
  expect(rung).toEqual(['wait']);
  alarms.set('until', { at: clock.now() + HOUR_MS });
  clock.setWall(clock.now() + 2 * HOUR_MS);
  clock.advance(14_000);
  expect(rung).toEqual(['wait']);
  clock.advance(1_000);
  expect(rung).toEqual(['wait', 'until']);
});

test('what is set anew or cleared rings no more as it was', () => {
  const { clock, rung, alarms } = begin();
  alarms.set('a', { inMs: 10 });
  alarms.set('a', { inMs: 100 });
  alarms.set('b', { inMs: 10 });
  alarms.clear('b');
  clock.advance(50);
  expect(rung).toEqual([]);
  clock.advance(50);
  expect(rung).toEqual(['a']);
});
