/**
 * Finds the processes that a command started, through /proc if it exists: by descent, and by a marker in their
 * environment, so that a process which left its group, its session and its parent is found too.
 */
import { readdirSync, readFileSync } from 'node:fs';
import treeKill from 'tree-kill';
import { errnoOf } from '../../../shared/errors.ts';
import { platform } from '../../platform/platform.ts';

/** Identifies a process even if its number is reused. */
export interface ProcessId {
  readonly pid: number;
  /** Start time in clock ticks since boot. */
  readonly start: string;
}

interface ProcessRow extends ProcessId {
  readonly parent: number;
  readonly state: string;
}

/** Text of a /proc file; null if the process has ended or is not readable for this user. */
function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined) return null;
    throw thrown;
  }
}

/** The head of a PID namespace is a zombie only after all its processes have ended. */
const isAlive = (row: ProcessRow): boolean => row.state !== 'Z' && row.state !== 'X';

function readRow(pid: number, thread: string | null = null): ProcessRow | null {
  const stat = readProc(`/proc/${pid}/${thread === null ? '' : `task/${thread}/`}stat`);
  if (stat === null) return null;
  // The name, in parentheses, may contain any character: fields are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent] = fields;
  const start = fields[19];
  if (state === undefined || parent === undefined || start === undefined) return null;
  return { pid, start, parent: Number(parent), state };
}

/** Null if there is no such process, or no /proc. */
export function processId(pid: number): ProcessId | null {
  const row = readRow(pid);
  return row && { pid, start: row.start };
}

/** The states of its threads, a letter each: a leader may be a zombie while other threads still write. */
export function threadStates(pid: number): string {
  return namesIn(`/proc/${pid}/task`)
    .map((thread) => readRow(pid, thread)?.state ?? '')
    .join('');
}

/** Whether a process was started with one of these words, in its arguments or its environment. */
export function mentions(pid: number, words: readonly string[]): boolean {
  const text = ['cmdline', 'environ'].map((file) => readProc(`/proc/${pid}/${file}`) ?? '').join('\0');
  return words.some((word) => text.includes(word));
}

/** The first characters of its program's name. */
export function programOf(pid: number): string {
  return readProc(`/proc/${pid}/comm`)?.trim() ?? '';
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined) return [];
    throw thrown;
  }
}

function allPids(): number[] {
  return namesIn('/proc').map(Number);
}

/** Whether processes can be listed here; otherwise only the process group and `tree-kill` can be used. */
export function canListProcesses(): boolean {
  return readRow(process.pid) !== null;
}

/** The number of tasks (threads count) of the whole machine: one cheap read. Null if unknown. */
export function taskCount(): number | null {
  const match = /^\S+ \S+ \S+ \d+\/(\d+)/.exec(readProc('/proc/loadavg') ?? '');
  return match === null ? null : Number(match[1]);
}

/** Living descendants of the given processes, including these. Zombies do not count. */
export function descendants(roots: readonly number[]): ProcessId[] {
  const rows = allPids().flatMap((pid) => readRow(pid) ?? []);
  const children = Map.groupBy(rows, (row) => row.parent);
  const found = new Map<number, ProcessRow>();
  const queue = rows.filter((row) => roots.includes(row.pid));
  for (let row = queue.pop(); row !== undefined; row = queue.pop()) {
    if (found.has(row.pid)) continue;
    found.set(row.pid, row);
    queue.push(...(children.get(row.pid) ?? []));
  }
  return [...found.values()].filter(isAlive);
}

/** Children of a process. Null if the kernel does not list them; empty if the process has ended. */
function childrenOf(pid: number): number[] | null {
  const main = readProc(`/proc/${pid}/task/${pid}/children`);
  if (main === null) return readRow(pid) === null ? [] : null;
  return main
    .split(' ')
    .filter((text) => text !== '')
    .map(Number);
}

/** Whether more than `limit` processes descend from one. Stops counting there: a storm must not require a full walk. */
export function exceeds(root: number, limit: number): boolean {
  const queue = [root];
  for (let at = 0; at < queue.length; at++) {
    if (queue.length > limit + 1) return true;
    const children = childrenOf(queue[at] ?? 0);
    if (children === null) return descendants([root]).length > limit + 1;
    for (const pid of children) queue.push(pid);
  }
  return queue.length > limit + 1;
}

/** Processes whose initial environment contains `marker`, except this one. */
function marked(marker: string): number[] {
  return allPids().filter((pid) => pid !== process.pid && readProc(`/proc/${pid}/environ`)?.includes(marker) === true);
}

/** Returns the processes of `seen` that are still alive. */
export function living(seen: Iterable<ProcessId>): number[] {
  return [...seen]
    .filter((one) => {
      const row = readRow(one.pid);
      return row?.start === one.start && isAlive(row);
    })
    .map((one) => one.pid);
}

/** Sends SIGKILL; no error if the process has ended or belongs to another user. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
  }
}

/** Kills a process, its group, and its descendants as listed by `ps`: for systems without /proc. */
export function killByGroup(pid: number): void {
  if (platform.hasGroups) kill(-pid);
  treeKill(pid, 'SIGKILL');
}

/**
 * Kills every process that has the marker, was seen before, or descends from those, until no process is found, in at
 * most `rounds` rounds. Returns the number of processes found in the last round.
 */
export function sweep(marker: string, seen: Iterable<ProcessId>, rounds: number): number {
  let left = 0;
  for (let round = 0; round < rounds; round++) {
    const found = descendants([...marked(marker), ...living(seen)]);
    left = found.length;
    if (left === 0) return 0;
    for (const { pid } of found) kill(pid);
  }
  return left;
}
