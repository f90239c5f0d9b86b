/** Reads processes from /proc. */
import { readdirSync, readFileSync } from 'node:fs';
import { errnoOf } from '../../../shared/errors.ts';
import type { Processes, ProcessRow } from './processes.ts';

/** Text of a /proc file; null if the process has ended or is not readable for this user. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined) return null;
    throw thrown;
  }
}

function one(pid: number, thread: string | null = null): ProcessRow | null {
  const stat = read(`/proc/${pid}/${thread === null ? '' : `task/${thread}/`}stat`);
  if (stat === null) return null;
  // The name, in parentheses, may contain any character: fields are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent] = fields;
  const start = fields[19];
  if (state === undefined || parent === undefined || start === undefined) return null;
  return { pid, start, parent: Number(parent), state };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined) return [];
    throw thrown;
  }
}

const present = (): number[] => namesIn('/proc').map(Number);

function children(pid: number): readonly number[] | null {
  const main = read(`/proc/${pid}/task/${pid}/children`);
  if (main === null) return one(pid) === null ? [] : null;
  return main
    .split(' ')
    .filter((text) => text !== '')
    .map(Number);
}

/** Whether this system has /proc, with this process in it. */
export const hasProc = (): boolean => one(process.pid) !== null;

export const BY_PROC: Processes = {
  all: () => present().flatMap((pid) => one(pid) ?? []),
  some: (pids) => pids.flatMap((pid) => one(pid) ?? []),
  isSameStart: (a, b) => a === b,
  threadStates: (pid) =>
    namesIn(`/proc/${pid}/task`)
      .map((thread) => one(pid, thread)?.state ?? '')
      .join(''),
  words: (pid) => ['cmdline', 'environ'].map((file) => read(`/proc/${pid}/${file}`) ?? '').join('\0'),
  program: (pid) => read(`/proc/${pid}/comm`)?.trim() ?? '',
  withVariable: (text) => present().filter((pid) => read(`/proc/${pid}/environ`)?.includes(text) === true),
  children,
  taskCount: () => {
    const match = /^\S+ \S+ \S+ \d+\/(\d+)/.exec(read('/proc/loadavg') ?? '');
    return match === null ? null : Number(match[1]);
  },
  lookMs: 50,
};
