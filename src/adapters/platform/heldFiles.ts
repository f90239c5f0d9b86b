/**
 * Renames and removals. On Windows they wait for a file that another program holds for a moment, such as a virus scanner or an indexer; a
 * job does not end by it.
 */
import { chmodSync, lstatSync, readdirSync, renameSync as renameNowSync, rmSync as rmNowSync } from 'node:fs';
import { rename as renameNow, rmdir as rmdirNow, rm as rmNow } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFailure, HELD, HELD_INSIDE } from '../../engine/state/filePorts.ts';
import { asFailure, errnoOf } from '../../shared/errors.ts';
import { platform } from './platform.ts';

const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 500;
/** Scanners let go within seconds; a person who opened the file may not. */
const PATIENCE_MS = 10_000;
/** A wait is reported once it is as long. */
const REPORTED_MS = 1_000;

export interface Patience {
  sleep(ms: number): Promise<void>;
  sleepSync(ms: number): void;
  /** A file has been waited for, and is waited for further. */
  report(file: string, code: string): void;
}

/** How long to wait each time that a file is found held; null once it was waited for long enough. `tell` is called once in a long wait. */
function waits(): (tell: () => void) => number | null {
  let waited = 0;
  let wait = FIRST_WAIT_MS;
  let isTold = false;
  return (tell) => {
    if (waited >= PATIENCE_MS) return null;
    if (waited >= REPORTED_MS && !isTold) {
      isTold = true;
      tell();
    }
    const now = wait;
    waited += now;
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    return now;
  };
}

/** How long to wait after each error. Throws an error that is not `held`; throws DISK if the file was waited for long enough. */
function waitsAfter(file: string, held: readonly unknown[], patience: Patience): (thrown: unknown) => number {
  const next = waits();
  return (thrown) => {
    const errno = errnoOf(thrown);
    if (!held.includes(errno)) throw thrown;
    const wait = next(() => patience.report(file, String(errno)));
    if (wait === null) throw diskFailure(thrown, file);
    return wait;
  };
}

/** Throws DISK once it has waited for ten seconds. */
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
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  sleepSync: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  report: (file, code) => report(`${file} is held by another program, and is waited for (${code})`),
};

/** Repeats a program while it says that another one holds a file. After ten seconds, that outcome is returned. */
export async function whileHeld<T>(
  program: string,
  run: () => Promise<T>,
  heldFile: (outcome: T) => string | null,
): Promise<T> {
  const next = waits();
  for (;;) {
    const outcome = await run();
    const said = platform.holdsFiles ? heldFile(outcome) : null;
    const wait =
      said === null ? null : next(() => report(`${program} waits for a file that another program holds: ${said}`));
    if (wait === null) return outcome;
    await REAL.sleep(wait);
  }
}

type Path = string | Buffer;
type Async<A extends readonly unknown[]> = (file: Path, ...rest: A) => Promise<void>;

const held =
  <A extends readonly unknown[]>(act: Async<A>, codes = HELD): Async<A> =>
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
export const rmdir = held<[]>((folder) => rmdirNow(folder));
export const rm = held<[options?: Removal]>((file, options) => rmNow(file, options), HELD_INSIDE);
export const renameSync = heldSync<[to: string]>((file, to) => renameNowSync(file, to));
export const rmSync = heldSync<[options?: Removal]>(removeSync, HELD_INSIDE);
