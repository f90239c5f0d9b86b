/** Counts and times what a thread asks of the disk and of other programs, until it is asked for the sums. */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import { nodeFiles } from '../src/adapters/files/files.ts';
import type { AppendFile } from '../src/engine/state/storePorts.ts';

export interface Sum {
  readonly count: number;
  readonly ms: number;
}

/** By `fsync`, `git <verb>` and `command <name>`. */
export type Sums = Readonly<Record<string, Sum>>;

export interface Meter {
  add(name: string, ms: number): void;
  take(): Sums;
}

export function createMeter(): Meter {
  let sums: Record<string, Sum> = {};
  return {
    add: (name, ms) => {
      const before = sums[name] ?? { count: 0, ms: 0 };
      sums[name] = { count: before.count + 1, ms: before.ms + ms };
    },
    take: () => {
      const taken = sums;
      sums = {};
      return taken;
    },
  };
}

export function meterDisk(meter: Meter): void {
  const timed = async <T>(work: Promise<T>): Promise<T> => {
    const start = performance.now();
    const value = await work;
    meter.add('fsync', performance.now() - start);
    return value;
  };
  const { openNew, create, syncDir } = nodeFiles;
  const metered = (file: AppendFile): AppendFile => ({ ...file, sync: () => timed(file.sync()) });
  Object.assign(nodeFiles, {
    openNew: async (path: string) => {
      const file = await openNew(path);
      return file && metered(file);
    },
    create: (path: string, data: Uint8Array) => timed(create(path, data)),
    syncDir: (path: string) => timed(syncDir(path)),
  });
}

/** Must run before anything that imports `node:child_process` is loaded. */
export function meterPrograms(meter: Meter): void {
  const programs = createRequire(import.meta.url)('node:child_process') as typeof import('node:child_process');
  const { spawn } = programs;
  const metered = (file: string, args: readonly string[], options: object) => {
    const start = performance.now();
    const child = spawn(file, args, options);
    const name = basename(file);
    const verb = args.find((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-c') ?? '';
    child.once('close', () => meter.add(name === 'git' ? `git ${verb}` : `command ${name}`, performance.now() - start));
    return child;
  };
  Object.assign(programs, { spawn: metered });
  syncBuiltinESMExports();
}

const CHANNEL = 'autonomous-bench';

/** Answers other threads that ask for this thread's sums. */
export function serveSums(meter: Meter): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: { data: unknown }) => {
    if (data === 'take') channel.postMessage(meter.take());
  };
  channel.unref();
}

/** The sums of the one other thread that serves them. */
export function askSums(): Promise<Sums> {
  const channel = new BroadcastChannel(CHANNEL);
  const { promise, resolve } = Promise.withResolvers<Sums>();
  channel.onmessage = ({ data }: { data: unknown }) => resolve(data as Sums);
  channel.postMessage('take');
  return promise.finally(() => channel.close());
}
