/** How often a window without an engine asks for a new owner. */
import { expect, it, vi } from 'vitest';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

vi.mock('vscode', () => ({
  Disposable: class {
    readonly dispose: () => void;
    constructor(dispose: () => void) {
      this.dispose = dispose;
    }
  },
}));

const { followOwners } = await import('../../../../../src/vscode/window/owner/owners.ts');

/** `answers`: whether the checks work, one after the other; then all do. */
function follow(...answers: readonly boolean[]) {
  const clock = new FakeClock();
  const left = [...answers];
  const asked: number[] = [];
  const followOwner = async (): Promise<boolean> => {
    asked.push(clock.monotonic());
    return left.shift() ?? true;
  };
  const following = followOwners({ followOwner }, clock);
  const passes = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000);
      await new Promise(setImmediate);
    }
  };
  return { asked, following, passes };
}

it('checks every two seconds, until the window closes', async () => {
  const { asked, following, passes } = follow();
  await passes(7);
  expect(asked).toEqual([2_000, 4_000, 6_000]);
  following.dispose();
  await passes(7);
  expect(asked).toHaveLength(3);
});

it('waits longer after each check that fails, five minutes at most, and as before once one works', async () => {
  const { asked, passes } = follow(...Array.from({ length: 9 }, () => false));
  await passes(1_300);
  const waits = asked.map((at, n) => (at - (asked[n - 1] ?? 0)) / 1_000);
  expect(waits.slice(0, 12)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 2, 2]);
});

it('starts no second check while one runs, and none after the window closed', async () => {
  const clock = new FakeClock();
  const answer = Promise.withResolvers<boolean>();
  const followOwner = vi.fn(() => answer.promise);
  const following = followOwners({ followOwner }, clock);
  clock.advance(60_000);
  expect(followOwner).toHaveBeenCalledOnce();
  following.dispose();
  answer.resolve(true);
  await new Promise(setImmediate);
  clock.advance(600_000);
  expect(followOwner).toHaveBeenCalledOnce();
});
