/** How the tests in VS Code wait: for a condition, however slow the machine is. */
import { errors } from 'playwright-core';
import { LONGEST_SILENCE_MS } from '../support/time/silence.ts';

/** After it a wait fails. */
export const PATIENCE_MS = LONGEST_SILENCE_MS;
const LOOK_MS = 100;

/** false: playwright's time for it was over before it was done. */
export async function inTime(done: Promise<unknown>): Promise<boolean> {
  try {
    await done;
    return true;
  } catch (thrown) {
    if (thrown instanceof errors.TimeoutError) return false;
    throw thrown;
  }
}

/** Waits until `look` returns something, and returns it. `what`: what is waited for; as a function, it is asked in the end, for what was seen last. */
export async function until<T>(
  what: string | (() => string),
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== undefined && seen !== false) return seen;
    if (performance.now() > end) {
      throw new Error(`waited ${PATIENCE_MS / 1000} s in vain for ${typeof what === 'string' ? what : what()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
