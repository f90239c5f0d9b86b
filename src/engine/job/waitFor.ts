/** Waits of the loop for a time or for an event. */
import type { JobContext } from './context.ts';
import { Wait } from './wait.ts';

/** Wakes the job when its time has come. */
export async function waitUntil(context: JobContext, until: string): Promise<void> {
  const { memory, clock, store, jobId } = context;
  if (memory.wait?.until !== until) memory.wait = new Wait(clock, until);
  const { leftMs } = memory.wait;
  if (leftMs > 0) return waitFor(context, leftMs);
  memory.wait = null;
  await store.commit({ type: 'job_woken', job_id: jobId });
}

/** Waits so long, or until an event that may change the next action. */
export async function waitFor(context: JobContext, wanted: number): Promise<void> {
  const done = new AbortController();
  const stop = AbortSignal.any([context.signal, done.signal]);
  // Woken at least once a minute: after a sleep of the machine the wall clock decides, not a long timer.
  const ms = Math.min(60_000, wanted);
  try {
    await Promise.race([context.clock.sleep(ms, stop), context.store.changed(stop)]);
  } finally {
    done.abort();
  }
}
