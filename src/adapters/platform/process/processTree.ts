/**
 * Finds and ends the processes that a command started: by descent, and by a marker in their environment, so that a
 * process which left its group, its session and its parent is found too.
 */
import { findFailure } from '../../../shared/errors.ts';
import type { ProcessId, ProcessRow } from './processes.ts';
import { processSystem } from './processSystem.ts';
import { kill } from './signals.ts';

const { processes } = processSystem;

/** The head of a PID namespace is a zombie only after all its processes have ended. */
export const hasEnded = (states: string): boolean => /^[ZX]*$/.test(states);

/** What a look shows, or `none` if processes cannot be listed at present. */
export function ifListed<T>(look: () => T, none: T): T {
  try {
    return look();
  } catch (thrown) {
    if (findFailure(thrown)?.code !== 'COMMAND_FAILED') throw thrown;
    return none;
  }
}

/** Whether processes can be listed here. */
export const canListProcesses = (): boolean => ifListed(() => processes.some([process.pid]).length > 0, false);

/** Null if there is no such process, or if processes cannot be listed. */
export function processId(pid: number): ProcessId | null {
  const row = processes.some([pid])[0];
  return row === undefined ? null : { pid, start: row.start };
}

/** Whether a process was started with one of these words, in its arguments or its environment. */
export function mentions(pid: number, words: readonly string[]): boolean {
  const text = processes.words(pid);
  return words.some((word) => text.includes(word));
}

/** Living descendants of the given processes, including these. Zombies do not count. */
export function descendants(roots: readonly number[]): ProcessId[] {
  const rows = processes.all();
  const children = Map.groupBy(rows, (row) => row.parent);
  const found = new Map<number, ProcessRow>();
  const queue = rows.filter((row) => roots.includes(row.pid));
  for (let row = queue.pop(); row !== undefined; row = queue.pop()) {
    if (found.has(row.pid)) continue;
    found.set(row.pid, row);
    queue.push(...(children.get(row.pid) ?? []));
  }
  return [...found.values()].filter((row) => !hasEnded(row.state));
}

/** Whether more than `limit` processes descend from one. Stops counting there: a storm must not require a full walk. */
export function exceeds(root: number, limit: number): boolean {
  const queue = [root];
  for (let at = 0; at < queue.length; at++) {
    if (queue.length > limit + 1) return true;
    const children = processes.children(queue[at] ?? 0);
    if (children === null) return descendants([root]).length > limit + 1;
    for (const pid of children) queue.push(pid);
  }
  return queue.length > limit + 1;
}

/** Returns the processes of `seen` that are still alive. */
export function living(seen: Iterable<ProcessId>): number[] {
  const starts = new Map([...seen].map((one) => [one.pid, one.start]));
  return processes
    .some([...starts.keys()])
    .filter((row) => processes.isSameStart(row.start, starts.get(row.pid) ?? '') && !hasEnded(row.state))
    .map((row) => row.pid);
}

const MAX_FAILED = 2;

/**
 * Kills every process that has the marker, was seen before, or descends from those, until no process is found, in at
 * most `rounds` rounds. Returns the number of processes found in the last round.
 */
export function sweep(marker: string, seen: Iterable<ProcessId>, rounds: number): number {
  let [left, failed] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const found = ifListed(() => {
      const marked = processes.withVariable(marker).filter((pid) => pid !== process.pid);
      return descendants([...marked, ...living(seen)]);
    }, null);
    left = found?.length ?? 1;
    if (found === null) {
      // A program that does not run blocks this thread for its time limit.
      if (++failed === MAX_FAILED) return left;
      continue;
    }
    if (left === 0) return 0;
    for (const { pid } of found) kill(pid);
  }
  return left;
}
