import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';

const HOUR = 3_600_000;
const clock = systemClock();

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 12) });
});
afterEach(() => {
  vi.useRealTimers();
});

async function ended(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol();
  return (await Promise.race([promise, Promise.resolve(open)])) !== open;
}

describe('sleep', () => {
  it('takes as long as it says, also beyond what one timer can', async () => {
    const sleeping = clock.sleep(1000 * HOUR);
    await vi.advanceTimersByTimeAsync(1000 * HOUR - 1);
    expect(await ended(sleeping)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended(sleeping)).toBe(true);
  });

  it('ends within seconds of a machine waking up, and in spite of a clock set back', async () => {
    const night = clock.sleep(12 * HOUR);
    vi.setSystemTime(Date.now() + 12 * HOUR);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await ended(night)).toBe(true);
    const hour = clock.sleep(HOUR);
    vi.setSystemTime(Date.now() - 5000 * HOUR);
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(await ended(hour)).toBe(true);
  });

  it('rejects with the reason of an abort', async () => {
    const abort = new AbortController();
    const sleeping = clock.sleep(HOUR, abort.signal);
    abort.abort(new Error('enough'));
    await expect(sleeping).rejects.toThrow('enough');
    await expect(clock.sleep(1, abort.signal)).rejects.toThrow('enough');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('timer', () => {
  it('counts awake time only, and can be cancelled', async () => {
    const bite = vi.fn();
    clock.timer(90_000, bite);
    const cancel = clock.timer(90_000, bite);
    await vi.advanceTimersByTimeAsync(60_000);
    vi.setSystemTime(Date.now() + 12 * HOUR);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(bite).not.toHaveBeenCalled();
    cancel();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(bite).toHaveBeenCalledOnce();
  });

  it('does not take a long gap between two of its steps for awake time', async () => {
    const bite = vi.fn();
    const awake = vi.spyOn(performance, 'now');
    clock.timer(90_000, bite);
    const real = performance.now();
    awake.mockImplementation(() => real + 12 * HOUR);
    await vi.advanceTimersByTimeAsync(10_000);
    awake.mockRestore();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(bite).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(bite).toHaveBeenCalledOnce();
  });
});
