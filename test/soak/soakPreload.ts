/**
 * Loaded before the program under test, and before each of its threads, with --expose-gc: when the process is told SIGUSR2, each thread
 * collects its garbage and adds what is left of it to the file in this module's URL.
 */
import { appendFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import { isMainThread, threadName } from 'node:worker_threads';

/** A line of the file. */
export interface ThreadSample {
  readonly pid: number;
  /** The how manieth signal of this process. */
  readonly nth: number;
  /** '': the owner's own. */
  readonly thread: string;
  readonly heapBytes: number;
  /** Of buffers and the like, which the heap only points at. */
  readonly outsideBytes: number;
  /** Timers, sockets, pipes and whatever else keeps a loop alive. */
  readonly resources: number;
}

const file = new URL(import.meta.url).searchParams.get('file');

function tell(nth: number): void {
  if (file === null || globalThis.gc === undefined)
    throw new Error('it has no file, or was not started with --expose-gc');
  globalThis.gc();
  const { used_heap_size: heapBytes, external_memory: outsideBytes } = getHeapStatistics();
  const sample: ThreadSample = {
    pid: process.pid,
    nth,
    thread: isMainThread ? '' : (threadName ?? ''),
    heapBytes,
    outsideBytes,
    resources: process.getActiveResourcesInfo().length,
  };
  appendFileSync(file, `${JSON.stringify(sample)}\n`);
}

const channel = new BroadcastChannel('soak');
channel.unref();
if (isMainThread) {
  let nth = 0;
  process.on('SIGUSR2', () => {
    channel.postMessage(nth);
    tell(nth++);
  });
} else {
  channel.onmessage = ({ data }) => tell(data as number);
}
