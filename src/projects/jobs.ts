/** The jobs of one project in its worker thread: each has a loop of its own. */
import type { LoopPorts } from '../engine/context.ts';
import { runJob } from '../engine/loop.ts';
import { type PlainFailure, toPlain } from '../shared/errors.ts';
import type { Event } from '../shared/events.ts';

export interface ProjectJobs {
  work(jobId: string): void;
  /** To be called for each event after it was folded: a paused or cancelled job stops at once. */
  heard(event: Event): void;
  stop(): Promise<void>;
}

export function projectJobs(
  ports: LoopPorts,
  ended: (jobId: string, failure: PlainFailure | null) => void,
): ProjectJobs {
  const running = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>();

  let stopped = false;

  async function run(jobId: string, abort: AbortController): Promise<void> {
    let failure: PlainFailure | null = null;
    try {
      await runJob(ports, jobId, abort.signal);
    } catch (thrown) {
      if (!abort.signal.aborted) failure = toPlain(thrown);
    } finally {
      running.delete(jobId);
    }
    ended(jobId, failure);
  }

  function work(jobId: string): void {
    const before = running.get(jobId);
    if (before !== undefined) {
      // One that is stopping gives way first; one that works has heard of whatever changed.
      if (before.abort.signal.aborted && !stopped) void before.done.then(() => work(jobId));
      return;
    }
    const abort = new AbortController();
    running.set(jobId, { abort, done: run(jobId, abort) });
  }

  return {
    work,
    heard: (event) => {
      if (event.type !== 'job_paused' && event.type !== 'job_cancelled') return;
      running.get(event.job_id)?.abort.abort(new Error(event.reason));
    },
    stop: async () => {
      stopped = true;
      for (const { abort } of running.values()) abort.abort(new Error('the owner stops'));
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
