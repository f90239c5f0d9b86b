/** Runs the jobs of one project in its worker thread, one loop per job. */

import { type PlainFailure, toPlain } from '../../../shared/errors.ts';
import type { Event } from '../../../shared/workspace/events.ts';
import type { LoopPorts } from '../../job/context.ts';
import { runJob } from '../../job/loop.ts';

export interface ProjectJobs {
  /** A loop that runs already takes the newer run for its own, and looks once more before it ends. */
  work(jobId: string, run: number): void;
  /** Call for each event after it was folded: a paused or cancelled job stops at once. */
  heard(event: Event): void;
  /** Whether the job's loop is still running, even if it is about to end. */
  isInHand(jobId: string): boolean;
  stop(): Promise<void>;
}

export function projectJobs(
  ports: LoopPorts,
  ended: (jobId: string, run: number, failure: PlainFailure | null) => void,
): ProjectJobs {
  const running = new Map<string, { run: number; readonly abort: AbortController; readonly done: Promise<void> }>();

  let stopped = false;

  async function carryOut(jobId: string, abort: AbortController, first: number): Promise<void> {
    const newest = (): number => running.get(jobId)?.run ?? first;
    let failure: PlainFailure | null = null;
    let taken: number;
    try {
      // A loop may decide to stop before it receives the reason of a newer run.
      do {
        taken = newest();
        await runJob(ports, jobId, abort.signal);
      } while (newest() !== taken && !abort.signal.aborted);
    } catch (thrown) {
      if (!abort.signal.aborted) failure = toPlain(thrown);
    }
    const run = newest();
    running.delete(jobId);
    ended(jobId, run, failure);
  }

  function work(jobId: string, run: number): void {
    const before = running.get(jobId);
    if (before === undefined) {
      const abort = new AbortController();
      running.set(jobId, { run, abort, done: carryOut(jobId, abort, run) });
    } else if (!before.abort.signal.aborted) {
      before.run = Math.max(before.run, run);
    } else if (!stopped) {
      // A loop that is stopping must end first.
      void before.done.then(() => work(jobId, run));
    }
  }

  return {
    work,
    heard: (event) => {
      if (event.type !== 'job_paused' && event.type !== 'job_cancelled') return;
      running.get(event.job_id)?.abort.abort(new Error(event.reason));
    },
    isInHand: (jobId) => running.has(jobId),
    stop: async () => {
      stopped = true;
      for (const { abort } of running.values()) abort.abort(new Error('the owner stops'));
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
