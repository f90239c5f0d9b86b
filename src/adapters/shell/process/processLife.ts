/** Starts one process and enforces its limits: time, output, number of processes, abort; then ends all its descendants. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Clock } from '../../../shared/clock.ts';
import { startWithout } from '../../platform/inheritedFiles.ts';
import { platform } from '../../platform/platform.ts';
import type { ProcessCgroup } from '../../platform/process/cgroup.ts';
import type { DeathWatch } from '../../platform/process/deathWatch.ts';
import type { ProcessId } from '../../platform/process/processes.ts';
import { processSystem } from '../../platform/process/processSystem.ts';
import { canListProcesses, descendants, exceeds, ifListed, sweep } from '../../platform/process/processTree.ts';
import { kill } from '../../platform/process/signals.ts';
import { MARKER } from '../environment.ts';

export interface Launch {
  /** Absolute path of the program, and its arguments. */
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already. */
  readonly isVerbatim?: boolean;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * Unique value of MARKER in `env`, by which the tree is found, also by another process if this one is killed. Null if
   * the process is the head of a PID namespace that dies with this process: when the head ends, the kernel ends
   * everything that it started.
   */
  readonly marker: string | null;
  /** Null for no limit. */
  readonly timeoutMs: number | null;
  /** Limit of the total output. */
  readonly floodBytes: number;
  readonly maxProcesses: number;
  readonly signal: AbortSignal;
}

export type Ended = null | 'timeout' | 'output' | 'processes' | 'aborted' | 'failed_to_start';

export interface End {
  /** 128 + signal number if a signal ended it; null if this program ended it, or if it never started. */
  readonly exitCode: number | null;
  readonly ended: Ended;
  /** The reason why it did not start. */
  readonly why: string;
}

export interface Life {
  readonly child: ChildProcess;
  /** Ends the process and its descendants; the first reason counts. */
  end(reason: Exclude<Ended, null>): void;
  /** Counts output. */
  heard(bytes: number): void;
  /** Resolves when the process has ended and all its remaining children were signaled. Never rejects. */
  readonly over: Promise<End>;
}

/** Milliseconds between two walks of an unconfined tree, which record the processes that will leave it. */
export const WALK_MS = 250;
const SWEEP_ROUNDS = 200;
/** A round starts programs where processes are listed by one. */
const sweepRounds = (): number => (processSystem.processes.taskCount() === null ? 10 : SWEEP_ROUNDS);
/** Threads count as tasks: the kernel's bound is this much wider than the limit of processes. */
export const TASKS_PER_PROCESS = 8;

/** A started process. */
interface Started {
  readonly child: ChildProcess;
  readonly cgroup: ProcessCgroup | null;
  readonly watch: DeathWatch | null;
  /** Processes of an unconfined tree that were observed. */
  readonly seen: Map<number, ProcessId>;
}

/**
 * Watches the size of a process tree. Walks it only if the whole machine has grown by more than half the limit. A storm
 * that reached its bound and collapsed between two checks is detected by the refusals that the kernel counted.
 */
function watchTree(
  launch: Launch,
  { child, cgroup, watch, seen }: Started,
  clock: Clock,
  over: () => void,
): () => void {
  const pid = child.pid;
  if (pid === undefined || !canListProcesses()) return () => undefined;
  const { lookMs, taskCount } = processSystem.processes;
  const walkEvery = Math.max(1, Math.round(WALK_MS / lookMs));
  let floor = taskCount() ?? 0;
  let cancel: () => void = () => undefined;
  let looks = 0;
  /** Where each look is a list of all processes, one serves both. */
  const isOver = (): boolean => {
    const tasks = taskCount();
    if (tasks === null) {
      const tree = ifListed(() => descendants([pid]), []);
      watch?.saw(tree.filter((one) => !seen.has(one.pid)));
      if (launch.marker !== null) for (const one of tree) seen.set(one.pid, one);
      return tree.length > launch.maxProcesses + 1;
    }
    floor = Math.min(floor, tasks);
    if (tasks - floor > launch.maxProcesses / 2 && exceeds(pid, launch.maxProcesses)) return true;
    if (launch.marker !== null && looks++ % walkEvery === 0) {
      for (const one of descendants([pid])) seen.set(one.pid, one);
    }
    return false;
  };
  const look = (): void => {
    if (isOver() || cgroup?.wasFull() === true) over();
    else cancel = clock.timer(lookMs, look);
  };
  cancel = clock.timer(lookMs, look);
  return () => cancel();
}

/** Ends the remaining processes of the command: its group, and each process that can be traced to it. */
function endTree({ marker }: Launch, { child, seen }: Started): void {
  if (child.pid === undefined) return;
  const root = child.pid;
  if (marker !== null) for (const one of ifListed(() => descendants([root]), [])) seen.set(one.pid, one);
  processSystem.endGroup(child);
  if (marker !== null) sweep(`${MARKER}=${marker}`, seen.values(), sweepRounds());
}

/** The cgroup still contains a daemon that dropped its environment and its parent before they were read. */
function endCell(cgroup: ProcessCgroup | null): void {
  for (let round = 0; round < SWEEP_ROUNDS; round++) {
    const left = cgroup?.members() ?? [];
    if (left.length === 0) return;
    for (const pid of left) kill(pid);
  }
}

function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

interface Limits extends Pick<Life, 'end' | 'heard'> {
  readonly ended: () => Ended;
  /** Removes all limits. */
  readonly lift: () => void;
}

function holdToLimits(launch: Launch, started: Started, clock: Clock): Limits {
  let ended: Ended = null;
  let total = 0;
  const end: Life['end'] = (reason) => {
    if (ended !== null) return;
    ended = reason;
    endTree(launch, started);
  };
  const stopTimer = launch.timeoutMs === null ? () => undefined : clock.timer(launch.timeoutMs, () => end('timeout'));
  const stopWatch = watchTree(launch, started, clock, () => end('processes'));
  const abort = (): void => end('aborted');
  launch.signal.addEventListener('abort', abort, { once: true });
  return {
    end,
    heard: (bytes) => {
      total += bytes;
      if (total > launch.floodBytes) end('output');
    },
    ended: () => ended,
    lift: () => {
      stopTimer();
      stopWatch();
      launch.signal.removeEventListener('abort', abort);
    },
  };
}

/** `settled` is awaited after the process has ended: its output, if the output is read to the end. */
export function startProcess(
  launch: Launch,
  stdin: 'ignore' | 'pipe',
  clock: Clock,
  settled: (child: ChildProcess) => Promise<void>,
): Life {
  const cgroup = processSystem.openCgroup(launch.maxProcesses * TASKS_PER_PROCESS, clock);
  const start = platform.start(launch.file, launch.args, launch.env);
  const isVerbatim = start.isVerbatim || launch.isVerbatim === true;
  const argv = [start.file, ...start.args];
  const [file = '', ...args] = cgroup?.enter(argv) ?? argv;
  const watch = launch.marker === null ? null : processSystem.watchDeath(`${MARKER}=${launch.marker}`, clock);
  const child = startWithout([stdin, 'pipe', 'pipe'], (stdio) =>
    spawn(file, args, {
      cwd: launch.cwd,
      env: launch.env,
      stdio,
      detached: platform.hasGroups,
      windowsHide: true,
      windowsVerbatimArguments: isVerbatim,
    }),
  );
  if (child.pid !== undefined) watch?.leads(child.pid);
  const finished = new Promise<number | Error>((resolve) => {
    child.once('error', resolve);
    child.once('exit', (code, signal) => resolve(exitCodeOf(code, signal)));
  });
  const started: Started = { child, cgroup, watch, seen: new Map() };
  const limits = holdToLimits(launch, started, clock);
  const live = async (): Promise<End> => {
    const end = await finished;
    limits.lift();
    if (end instanceof Error) {
      await watch?.done();
      cgroup?.remove();
      return { exitCode: null, ended: limits.ended() ?? 'failed_to_start', why: end.message };
    }
    if (launch.marker !== null) endTree(launch, started);
    endCell(cgroup);
    // Windows ends the command with the holder of its job, and reports success.
    const isLost = (await watch?.done()) === true;
    await settled(child);
    // A command that failed because it could not start processes may have ended before a busy machine checked it.
    const ended =
      limits.ended() ?? (isLost ? 'aborted' : null) ?? (end !== 0 && cgroup?.wasFull() === true ? 'processes' : null);
    cgroup?.remove();
    return { exitCode: ended === null ? end : null, ended, why: '' };
  };
  return { child, end: limits.end, heard: limits.heard, over: live() };
}
