/** How often a window without an engine asks for a new owner. */
import { expect, it, vi } from 'vitest';
import { failure } from '../../../../../src/shared/errors.ts';
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

/** `answers`: whether a new owner is found, or what is thrown, one after the other; then never. */
function follow(...answers: readonly (boolean | Error)[]) {
  const clock = new FakeClock();
  const left = [...answers];
  const asked: number[] = [];
  const log = { debug: vi.fn() };
  const followOwner = async (): Promise<boolean> => {
    asked.push(clock.monotonic());
    const answer = left.shift() ?? false;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const following = followOwners({ followOwner }, { clock, log });
  const passes = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000);
      await new Promise(setImmediate);
    }
  };
  return { asked, following, log, passes };
}

it('asks every two seconds, also after a failure, until the window closes', async () => {
  const { asked, following, log, passes } = follow(false, failure('NOT_A_REPOSITORY', 'no such folder: /a'));
  await passes(7);
  expect(asked).toEqual([2_000, 4_000, 6_000]);
  expect(log.debug).toHaveBeenCalledExactlyOnceWith('no such folder: /a');
  following.dispose();
  await passes(7);
  expect(asked).toHaveLength(3);
});

it('waits longer while each answer is a new owner, and as before once there is none', async () => {
  const { asked, passes } = follow(true, true, false);
  await passes(20);
  expect(asked).toEqual([2_000, 6_000, 14_000, 16_000, 18_000, 20_000]);
});

it('starts no second question while one is open, and none after the window closed', async () => {
  const clock = new FakeClock();
  const answer = Promise.withResolvers<boolean>();
  const followOwner = vi.fn(() => answer.promise);
  const following = followOwners({ followOwner }, { clock, log: { debug: vi.fn() } });
  clock.advance(60_000);
  expect(followOwner).toHaveBeenCalledOnce();
  following.dispose();
  answer.resolve(true);
  await new Promise(setImmediate);
  clock.advance(600_000);
  expect(followOwner).toHaveBeenCalledOnce();
});
