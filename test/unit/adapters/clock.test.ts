import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';

const HOUR = 3_600_000;
/** A longer one begins at once: setTimeout takes no more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
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

/** A machine whose time stands still until it is set; its one timer is run by hand. */
class HandMachine {
  ms = 0;
  asked: { readonly ms: number; readonly run: () => void } | null = null;
  readonly clock = systemClock({
    now: () => this.ms,
    monotonic: () => this.ms,
    after: (ms, run) => {
      this.asked = { ms, run };
      return () => {
        this.asked = null;
      };
    },
  });

  /** The timer that was asked for, late or not. */
  fireAt(ms: number): void {
    this.ms = ms;
    const { asked } = this;
    this.asked = null;
    asked?.run();
  }
}

describe('sleep', () => {
  it('takes as long as it says', async () => {
    const sleeping = clock.sleep(HOUR);
    await vi.advanceTimersByTimeAsync(HOUR - 1);
    expect(await ended(sleeping)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended(sleeping)).toBe(true);
  });

  it('takes as long as it says beyond what one timer can', async () => {
    const machine = new HandMachine();
    const sleeping = machine.clock.sleep(1000 * HOUR);
    for (const at of [0, 300 * HOUR, 999 * HOUR, 1000 * HOUR - 1]) {
      if (at > 0) machine.fireAt(at);
      expect(await ended(sleeping)).toBe(false);
      expect(machine.asked?.ms).toBeLessThanOrEqual(Math.min(LONGEST_TIMER_MS, 1000 * HOUR - at));
    }
    machine.fireAt(1000 * HOUR);
    expect(await ended(sleeping)).toBe(true);
    expect(machine.asked).toBeNull();
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

  it('does not take a long gap between two of its steps for awake time', () => {
    const bite = vi.fn();
    const machine = new HandMachine();
    machine.clock.timer(90_000, bite);
    machine.fireAt(12 * HOUR);
    // What came late counts as its slice and two seconds.
    for (let left = 90_000 - 12_000; left > 0; left -= 10_000) {
      expect(bite).not.toHaveBeenCalled();
      machine.fireAt(machine.ms + Math.min(left, 10_000));
    }
    expect(bite).toHaveBeenCalledOnce();
  });
});
