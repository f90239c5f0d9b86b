/**
 * Renames and removals. On Windows they wait for a file that another program holds for a moment, such as a virus scanner or an indexer; a
 * job does not end by it.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  renameSync as renameNowSync,
  rmSync as rmNowSync,
} from 'node:fs';
import { rename as renameNow, rmdir as rmdirNow, rm as rmNow } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFailure, HELD, HELD_INSIDE } from '../../engine/state/filePorts.ts';
import { asFailure, errnoOf } from '../../shared/errors.ts';
import { platform } from './platform.ts';

/** Each wait is longer than the one before. */
interface Waits {
  readonly firstMs: number;
  readonly longestMs: number;
  readonly factor: number;
}
const OF_CALLS: Waits = { firstMs: 10, longestMs: 500, factor: 2 };
/** Five at most: the whole program is run again, and has waited for a moment by itself. */
const OF_PROGRAMS: Waits = { firstMs: 100, longestMs: Number.POSITIVE_INFINITY, factor: 3 };
/** Scanners let go within seconds; a person who opened the file may not. */
const PATIENCE_MS = 10_000;
/** A wait is reported once it is as long. */
const REPORTED_MS = 1_000;
/** Number of commands that ended held after a whole wait and are remembered. */
const MAX_OUTLIVED = 16;

export interface Patience {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** Ends at once if the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  sleepSync(ms: number): void;
  /** A file has been waited for, and is waited for further. */
  report(file: string, code: string): void;
}

/**
 * How long to wait each time that a file is found held; null once that was first found ten seconds ago, whatever took them. `tell` is called
 * once in a long wait.
 */
function waits({ firstMs, longestMs, factor }: Waits, { now }: Patience): (tell: () => void) => number | null {
  let since: number | null = null;
  let wait = firstMs;
  let isTold = false;
  return (tell) => {
    since ??= now();
    const waited = now() - since;
    if (waited >= PATIENCE_MS) return null;
    if (waited >= REPORTED_MS && !isTold) {
      isTold = true;
      tell();
    }
    const next = Math.min(wait, PATIENCE_MS - waited);
    wait = Math.min(wait * factor, longestMs);
    return next;
  };
}

/** How long to wait after each error. Throws an error that is not `held`; throws DISK if the file was waited for long enough. */
function waitsAfter(file: string, held: readonly unknown[], patience: Patience): (thrown: unknown) => number {
  const next = waits(OF_CALLS, patience);
  return (thrown) => {
    const errno = errnoOf(thrown);
    if (!held.includes(errno)) throw thrown;
    const wait = next(() => patience.report(file, String(errno)));
    if (wait === null) throw diskFailure(thrown, file);
    return wait;
  };
}

/** Throws DISK if the file is still held after ten seconds. */
export async function patiently<T>(file: string, act: () => Promise<T>, patience: Patience, held = HELD): Promise<T> {
  const waitAfter = waitsAfter(file, held, patience);
  for (;;) {
    try {
      return await act();
    } catch (thrown) {
      await patience.sleep(waitAfter(thrown));
    }
  }
}

export function patientlySync<T>(file: string, act: () => T, patience: Patience, held = HELD): T {
  const waitAfter = waitsAfter(file, held, patience);
  for (;;) {
    try {
      return act();
    } catch (thrown) {
      patience.sleepSync(waitAfter(thrown));
    }
  }
}

/**
 * For the end of a removal that is made up for later: a file that is still held is left, and what was done before counts. The wait was
 * reported.
 */
export function leaveHeld(thrown: unknown): void {
  if (asFailure(thrown).code !== 'DISK') throw thrown;
}

let report: (text: string) => void = () => undefined;

/** What this thread reports of files that it waits for, one sentence each. */
export function reportHeldFiles(to: (text: string) => void): void {
  report = to;
}

const REAL: Patience = {
  now: () => performance.now(),
  async sleep(ms, signal) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    const timer = setTimeout(wake, ms);
    signal?.addEventListener('abort', wake);
    await promise;
    clearTimeout(timer);
    signal?.removeEventListener('abort', wake);
  },
  sleepSync: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  report: (file, code) => report(`${file} is held by another program, and is waited for (${code})`),
};

interface Command {
  readonly program: string;
  /** Where the files that it names are. */
  readonly place: string;
  /** Ends a wait; the command is run once more, and finds it aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** What commands ended with after a whole wait, the latest last. */
let outlived: readonly { readonly program: string; readonly place: string; readonly said: string }[] = [];

/**
 * Repeats a command while it says that another program holds a file. After ten seconds, that outcome is returned; in this place, what it said
 * is not waited for again until the command ends without it.
 */
export async function whileHeld<T>(
  { program, place, signal }: Command,
  run: () => Promise<T>,
  heldFile: (outcome: T) => string | null,
  patience: Patience = REAL,
): Promise<T> {
  const next = waits(OF_PROGRAMS, patience);
  for (;;) {
    const outcome = await run();
    const said = heldFile(outcome);
    outlived = outlived.filter((one) => one.place !== place || one.program !== program || one.said === said);
    if (said === null || outlived.some((one) => one.place === place && one.said === said)) return outcome;
    const wait = next(() => report(`${program} waits for a file that another program holds: ${said}`));
    if (wait === null) {
      outlived = [...outlived, { program, place, said }].slice(-MAX_OUTLIVED);
      return outcome;
    }
    await patience.sleep(wait, signal);
  }
}

type Path = string | Buffer;
type Async<A extends readonly unknown[], T = void> = (file: Path, ...rest: A) => Promise<T>;

const held =
  <A extends readonly unknown[], T = void>(act: Async<A, T>, codes = HELD): Async<A, T> =>
  (file, ...rest) =>
    platform.holdsFiles ? patiently(String(file), () => act(file, ...rest), REAL, codes) : act(file, ...rest);

const heldSync =
  <A extends readonly unknown[]>(act: (file: string, ...rest: A) => void, codes = HELD) =>
  (file: string, ...rest: A): void =>
    platform.holdsFiles ? patientlySync(file, () => act(file, ...rest), REAL, codes) : act(file, ...rest);

interface Removal {
  readonly recursive?: boolean;
  readonly force?: boolean;
  readonly maxRetries?: number;
}

/**
 * Git's objects are read-only. Windows refuses to remove such a file, and so does the rmSync of Electron 43 (nodejs/node#64374); every
 * other removal makes it writable first.
 */
function removeSync(path: string, options?: Removal): void {
  try {
    rmNowSync(path, options);
  } catch (thrown) {
    if (platform.holdsFiles && errnoOf(thrown) === 'EPERM') makeWritable(path);
    throw thrown;
  }
}

function makeWritable(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile()) chmodSync(path, 0o600);
  if (stat?.isDirectory()) for (const name of readdirSync(path)) makeWritable(join(path, name));
}

// Looked up at each call: tests put a failing disk below them.
export const rename = held<[to: string]>((file, to) => renameNow(file, to));
/** For a file whose content its name determines: returns false, and leaves it, if the name is taken. Windows replaces no read-only file. */
export const renameNew = held<[to: string], boolean>(async (file, to) => {
  if (existsSync(to)) return false;
  try {
    await renameNow(file, to);
    return true;
  } catch (thrown) {
    if (existsSync(to)) return false;
    throw thrown;
  }
});
export const rmdir = held<[]>((folder) => rmdirNow(folder));
export const rm = held<[options?: Removal]>((file, options) => rmNow(file, options), HELD_INSIDE);
export const renameSync = heldSync<[to: string]>((file, to) => renameNowSync(file, to));
export const rmSync = heldSync<[options?: Removal]>(removeSync, HELD_INSIDE);
