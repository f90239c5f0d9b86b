/** When recurring tasks are due: by their zone, and once however many times were missed. */
import { describe, expect, it } from 'vitest';
import { dueAt, nextAt, nextTimes } from '../../../../src/core/task/schedule.ts';

const at = (iso: string): number => Date.parse(iso);
const hourly = { cron: '0 * * * *', time_zone: 'UTC', since: '2026-11-02T09:30:00.000Z', last_due: null };

describe('a schedule', () => {
  it('comes by the clock of its zone, over a change of summer time', () => {
    const nights = nextTimes({ cron: '30 3 * * *', time_zone: 'Europe/Berlin' }, at('2027-03-26T12:00:00Z'), 3);
    expect(nights).toEqual(['2027-03-27T02:30:00.000Z', '2027-03-28T01:30:00.000Z', '2027-03-29T01:30:00.000Z']);
  });

  it('comes once on each day whose clock has its hour not at all, or twice', () => {
    const nights = { cron: '30 2 * * *', time_zone: 'Europe/Berlin' };
    expect(nextTimes(nights, at('2027-03-27T12:00:00Z'), 2)).toEqual([
      '2027-03-28T01:00:00.000Z',
      '2027-03-29T00:30:00.000Z',
    ]);
    expect(nextTimes(nights, at('2027-10-30T12:00:00Z'), 2)).toEqual([
      '2027-10-31T00:30:00.000Z',
      '2027-11-01T01:30:00.000Z',
    ]);
    const autumn = { ...hourly, ...nights, last_due: '2027-10-31T00:30:00.000Z' };
    expect(dueAt(autumn, at('2027-10-31T12:00:00Z'))).toBeNull();
  });

  it('never comes where there is no such day', () => {
    expect(nextAt({ cron: '0 0 30 2 *', time_zone: 'UTC' }, 0)).toBeNull();
  });

  it.each([
    ['every day', 'UTC', /have 2 fields/],
    ['99 * * * *', 'UTC', /cannot be read/],
    ['*/0 * * * *', 'UTC', /cannot be read/],
    ['0 9 * * *', 'Mars/Olympus', /no time zone Mars/],
  ])('of %s in %s is refused', (cron, time_zone, message) => {
    expect(() => nextAt({ cron, time_zone }, 0)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(message) }),
    );
  });

  it('is due once for all that was missed', () => {
    expect(dueAt(hourly, at('2026-11-02T09:59:59Z'))).toBeNull();
    expect(dueAt(hourly, at('2026-11-05T14:20:00Z'))).toBe('2026-11-05T14:00:00.000Z');
    expect(dueAt({ ...hourly, last_due: '2026-11-05T14:00:00.000Z' }, at('2026-11-05T14:20:00Z'))).toBeNull();
    expect(dueAt(hourly, at('2026-11-02T10:00:00Z'))).toBe('2026-11-02T10:00:00.000Z');
    const anew = { ...hourly, last_due: '2026-11-02T10:00:00.000Z', since: '2026-11-05T14:10:00.000Z' };
    expect(dueAt(anew, at('2026-11-05T14:20:00Z'))).toBeNull();
  });

  it('is not due again where the clock was put back', () => {
    expect(dueAt({ ...hourly, last_due: '2026-11-05T14:00:00.000Z' }, at('2026-11-05T11:20:00Z'))).toBeNull();
  });

  it('looks back a year of seconds at once', () => {
    const seconds = { ...hourly, cron: '* * * * * *' };
    expect(dueAt(seconds, at('2027-11-02T10:00:00.700Z'))).toBe('2027-11-02T10:00:00.000Z');
  });
});
