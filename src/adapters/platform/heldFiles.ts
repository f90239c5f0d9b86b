/**
 * Renames and removals. On Windows they wait for a file that another program holds for a moment, such as a virus scanner or an indexer; a
 * job does not end by it.
 */
import { renameSync as renameNowSync, rmSync as rmNowSync } from 'node:fs';
import { rename as renameNow, rmdir as rmdirNow, rm as rmNow } from 'node:fs/promises';
import { errnoOf } from '../../shared/errors.ts';
import { platform } from './platform.ts';

/** How Windows reports a file that is in use. */
const HELD: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY'];

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

/** How long to wait after each error. Throws the error if the file is not held, or was waited for long enough. */
function waits(file: string, patience: Patience): (thrown: unknown) => number {
  let waited = 0;
  let wait = FIRST_WAIT_MS;
  let isReported = false;
  return (thrown) => {
    const code = errnoOf(thrown);
    if (!HELD.includes(code) || waited >= PATIENCE_MS) throw thrown;
    if (waited >= REPORTED_MS && !isReported) {
      isReported = true;
      patience.report(file, String(code));
    }
    const now = wait;
    waited += now;
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    return now;
  };
}

/** Throws what the operation throws, once it has waited for ten seconds. */
export async function patiently<T>(file: string, act: () => Promise<T>, patience: Patience): Promise<T> {
  const waitAfter = waits(file, patience);
  for (;;) {
    try {
      return await act();
    } catch (thrown) {
      await patience.sleep(waitAfter(thrown));
    }
  }
}

export function patientlySync<T>(file: string, act: () => T, patience: Patience): T {
  const waitAfter = waits(file, patience);
  for (;;) {
    try {
      return act();
    } catch (thrown) {
      patience.sleepSync(waitAfter(thrown));
    }
  }
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

type Path = string | Buffer;
type Async<A extends readonly unknown[]> = (file: Path, ...rest: A) => Promise<void>;

const held =
  <A extends readonly unknown[]>(act: Async<A>): Async<A> =>
  (file, ...rest) =>
    platform.holdsFiles ? patiently(String(file), () => act(file, ...rest), REAL) : act(file, ...rest);

const heldSync =
  <A extends readonly unknown[]>(act: (file: Path, ...rest: A) => void) =>
  (file: Path, ...rest: A): void =>
    platform.holdsFiles ? patientlySync(String(file), () => act(file, ...rest), REAL) : act(file, ...rest);

interface Removal {
  readonly recursive?: boolean;
  readonly force?: boolean;
  readonly maxRetries?: number;
}

// Looked up at each call: tests put a failing disk below them.
export const rename = held<[to: string]>((file, to) => renameNow(file, to));
export const rmdir = held<[]>((folder) => rmdirNow(folder));
export const rm = held<[options?: Removal]>((file, options) => rmNow(file, options));
export const renameSync = heldSync<[to: string]>((file, to) => renameNowSync(file, to));
export const rmSync = heldSync<[options?: Removal]>((file, options) => rmNowSync(file, options));
