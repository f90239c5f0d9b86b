import { setImmediate, setTimeout } from 'node:timers/promises';

/** Below the time limit of a unit test, so that what does not hold fails with its own message. */
const PATIENCE_MS = 60_000;
/** What needs turns of the event loop alone holds after these; what needs the disk or another process is asked less often. */
const TURNS = 100;

/** Resolves once `check` throws nothing. `vi.waitFor` sleeps 50 ms in between, and gives up after one second of a busy machine. */
export async function untilHolds(check: () => void): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (let turn = 0; ; turn++) {
    try {
      return check();
    } catch (thrown) {
      if (performance.now() > end) throw thrown;
    }
    await (turn < TURNS ? setImmediate() : setTimeout(5));
  }
}
