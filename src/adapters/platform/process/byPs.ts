/** Reads processes from the output of `ps`, on a Unix without /proc. */
import { execFileSync } from 'node:child_process';
import { errnoOf, failure, messageOf } from '../../../shared/errors.ts';
import type { Processes, ProcessRow } from './processes.ts';

const PS = '/bin/ps';
/** A look starts a program. */
const LOOK_MS = 1_000;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** `ps` computes starts from the time since boot, and rounds them. */
const ROUNDED_MS = 1_000;

const ROW = /^ *(\d+) +(\d+) +(\S)\S* +(\S.*\S) *$/;
const NUMBERED = /^ *(\d+) (.*)$/;

/** The rows of `ps -o pid=,ppid=,stat=,lstart=`. */
export const rowsOf = (output: string): readonly ProcessRow[] =>
  output.split('\n').flatMap((line) => {
    const [, pid, parent, state = '', start = ''] = ROW.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), state, start }];
  });

/** The output; empty if no process was found, or if there is no `ps`. Throws COMMAND_FAILED, as on a machine that starts no more processes. */
function ps(...args: string[]): string {
  const options = {
    env: { LC_ALL: 'C', TZ: 'UTC' },
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_BYTES,
  } as const;
  try {
    return execFileSync(PS, args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (cause) {
    // It exits with 1 if there is no such process.
    if (errnoOf(cause) === 'ENOENT' || (cause instanceof Error && 'status' in cause && cause.status === 1)) return '';
    throw failure('COMMAND_FAILED', `ps failed: ${messageOf(cause)}`, { cause });
  }
}

const COLUMNS = 'pid=,ppid=,stat=,lstart=';

/** `wide`: the options of `ps` that show whole arguments, and environments behind them. */
export function byPs(wide: readonly string[]): Processes {
  const some = (pids: readonly number[]): readonly ProcessRow[] =>
    pids.length === 0 ? [] : rowsOf(ps('-o', COLUMNS, '-p', pids.join(',')));
  return {
    all: () => rowsOf(ps('-A', '-o', COLUMNS)),
    some,
    isSameStart: (a, b) => a === b || Math.abs(Date.parse(`${a} UTC`) - Date.parse(`${b} UTC`)) <= ROUNDED_MS,
    threadStates: (pid) => some([pid])[0]?.state ?? '',
    words: (pid) => ps(...wide, '-o', 'command=', '-p', String(pid)),
    program: (pid) => ps('-o', 'comm=', '-p', String(pid)).trim().split('/').at(-1) ?? '',
    withVariable: (text) =>
      ps(...wide, '-A', '-o', 'pid=,command=')
        .split('\n')
        .flatMap((line) => {
          const [, pid, words = ''] = NUMBERED.exec(line) ?? [];
          return words.includes(text) ? [Number(pid)] : [];
        }),
    children: () => null,
    taskCount: () => null,
    lookMs: LOOK_MS,
  };
}
