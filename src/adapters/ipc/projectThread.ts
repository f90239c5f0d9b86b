/** Runs a project's worker thread for the owner: starts it, sends it calls, and detects its end. */
import { MessageChannel, Worker } from 'node:worker_threads';
import type { OwnerCalls, ProjectThread, WorkerCalls, WorkerStart } from '../../engine/project/threadPorts.ts';
import type { Clock } from '../../shared/clock.ts';
import { messageOf } from '../../shared/errors.ts';
import type { StepResult } from '../../shared/task/taskWork.ts';
import { callsOver } from './threadCalls.ts';

/**
 * Node lets a thread that reaches its ceiling use 16 MB more to end. One whose young objects are more than that takes
 * the whole process with it when they all survive (tried, with the default of 48 and a ceiling of 96).
 */
const YOUNG_MB = 16;

export interface ThreadOptions {
  /** The worker's bundle. */
  readonly script: URL;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
  /** A thread that exceeds this is terminated, without effect on other threads. */
  readonly heapMb: number;
  readonly patienceMs?: number;
  /** Answers the model calls from the port; returns a function that stops this. */
  serveModels(port: import('node:worker_threads').MessagePort): () => void;
}

/** The `workerData` of `worker.ts`. */
export interface WorkerData {
  readonly start: WorkerStart;
  readonly calls: import('node:worker_threads').MessagePort;
  readonly models: import('node:worker_threads').MessagePort;
}

export function spawnProjectThread(options: ThreadOptions, start: WorkerStart, owner: OwnerCalls): ProjectThread {
  const calls = new MessageChannel();
  const models = new MessageChannel();
  const workerData: WorkerData = { start, calls: calls.port2, models: models.port2 };
  const worker = new Worker(options.script, {
    workerData,
    transferList: [calls.port2, models.port2],
    env: options.env,
    resourceLimits: { maxOldGenerationSizeMb: options.heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    name: `autonomous ${start.projectId}`,
  });
  const stopServing = options.serveModels(models.port1);
  const rpc = callsOver<WorkerCalls, OwnerCalls>(calls.port1, owner);
  let stopping = false;
  let killedFor: string | null = null;
  let closed = false;
  // A manual list of waiters: `gone` itself would keep each answer that was raced with it for as long as the thread
  // lives.
  const waiting = new Set<() => void>();
  const gone = new Promise<string | null>((resolve) => {
    let cause: string | null = null;
    worker.on('error', (thrown) => {
      cause = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    });
    worker.on('exit', (code) => {
      stopServing();
      closed = true;
      rpc.$close();
      calls.port1.close();
      resolve(stopping ? null : (killedFor ?? cause ?? `the thread ended with ${code}`));
      for (const tell of waiting) tell();
    });
  });
  /** The answer, or null if the thread ends before. */
  const orGone = async <T>(answer: Promise<T>): Promise<T | null> => {
    const over = Promise.withResolvers<null>();
    const tell = (): void => over.resolve(null);
    if (closed) tell();
    waiting.add(tell);
    try {
      return await Promise.race([answer, over.promise]);
    } finally {
      waiting.delete(tell);
    }
  };
  const lost = async (): Promise<StepResult> => {
    const cause = await gone;
    return cause === null ? { outcome: 'aborted' } : { outcome: 'interrupted', error: firstLine(cause) };
  };
  // A thread that has ended answers nothing: `gone` reports its end.
  const post = (sent: Promise<unknown>): void => void sent.catch(() => undefined);
  return {
    ...(options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs }),
    gone,
    load: (state) => post(rpc.load.asEvent(state)),
    fold: (event, changes) => post(rpc.fold.asEvent(event, changes)),
    work: (jobId, run) => post(rpc.work.asEvent(jobId, run)),
    converse: (run) => post(rpc.converse.asEvent(run)),
    step: async (run, order) => {
      try {
        return (await orGone(rpc.step(run, order))) ?? (await lost());
      } catch (thrown) {
        return closed ? lost() : { outcome: 'failed', error: messageOf(thrown), result: null, session: null };
      }
    },
    abortStep: (run) => post(rpc.abortStep.asEvent(run)),
    ping: async () => {
      await orGone(rpc.ping().catch(() => undefined));
    },
    kill: (cause) => {
      killedFor ??= cause;
      void worker.terminate();
    },
    stop: async (graceMs) => {
      stopping = true;
      const late = new AbortController();
      const asked = rpc.stop().catch(() => undefined);
      await Promise.race([asked, gone, options.clock.sleep(graceMs, late.signal).catch(() => undefined)]);
      late.abort();
      await worker.terminate();
      await gone;
    },
  };
}

function firstLine(cause: string): string {
  const [first = ''] = cause.split('\n', 1);
  return `the worker thread died: ${first}`;
}
