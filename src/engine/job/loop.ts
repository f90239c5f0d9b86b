/** Runs the loop of one job: decides the next actions from the state alone, runs them in its lanes, and decides again. */
import type { LoopPorts } from './context.ts';
import { Lanes } from './lanes/lanes.ts';

/** Runs until the job has ended or is paused, or the signal aborts. Includes waiting for the steward or the clock. */
export async function runJob(ports: LoopPorts, jobId: string, signal: AbortSignal): Promise<void> {
  const lanes = new Lanes(ports, jobId, signal);
  try {
    await lanes.run();
  } finally {
    await lanes.close();
  }
}
