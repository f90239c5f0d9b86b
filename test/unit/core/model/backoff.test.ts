import { describe, expect, it } from 'vitest';
import { backoffMs, isPassing, retryAfterMs } from '../../../../src/core/model/backoff.ts';

describe('backoffMs', () => {
  it.each([
    [1, 0.5, null, 1000],
    [2, 0.5, null, 2000],
    [6, 0.999, null, 63_936],
    [12, 1, null, 300_000],
    [500, 1, null, 300_000],
    [1, 0, 7000, 7000],
    [1, 1, 500, 2000],
    [1, 0, 900_000, 900_000],
  ])('failure %i, random %f, asked %s ms: waits %i ms', (failures, random, asked, wait) => {
    expect(backoffMs(failures, random, asked)).toBe(wait);
  });
});

describe('retryAfterMs', () => {
  const now = Date.UTC(2026, 10, 21, 12);
  it.each([
    [{}, null],
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': '0.25' }, 250],
    [{ 'retry-after': '9', 'retry-after-ms': '120' }, 120],
    [{ 'retry-after': new Date(now + 30_000).toUTCString() }, 30_000],
    [{ 'retry-after': new Date(now - 30_000).toUTCString() }, 0],
    [{ 'retry-after': '-5x' }, null],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '' }, null],
  ])('%j is %s', (headers, ms) => {
    expect(retryAfterMs(headers as Record<string, string>, now)).toBe(ms);
  });
});

it('knows which statuses pass', () => {
  expect([400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 503, 529].filter(isPassing)).toEqual([
    408, 409, 429, 500, 503, 529,
  ]);
});
