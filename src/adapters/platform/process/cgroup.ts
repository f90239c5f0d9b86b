/**
 * A kernel-side bound on the tasks of a command, in a private cgroup, if this process may create one (needs root). It
 * stops a fork storm while this process gets no CPU time; the checks of the supervisor end the storm.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../shared/clock.ts';
import { errnoOf } from '../../../shared/errors.ts';
import { BY_PROC } from './byProc.ts';
import type { ProcessId } from './processes.ts';

export interface ProcessCgroup {
  /** The argv that enters the cgroup, then becomes `argv`: entering later would miss processes started in between. */
  enter(argv: readonly string[]): readonly [string, ...string[]];
  /** Whether the kernel refused it a task: detects a storm that ended before any check. */
  wasFull(): boolean;
  /** Processes still in it: no process that the command started can leave, whatever it dropped. */
  members(): readonly number[];
  /** Call after the command has ended; a group that the kernel still holds is removed a moment later. */
  remove(): void;
}

const HIERARCHIES = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'];

/** Time limit for a killed process to leave its cgroup. */
const LINGER_MS = 300;

let opened = false;
const left = new Set<string>();

/** Does work that may fail for reasons unrelated to the command; returns whether it succeeded. */
function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined) return false;
    throw thrown;
  }
}

/**
 * Version 1 has a separate hierarchy for processes; version 2 has one for everything, in which the controller must be
 * enabled.
 */
function bounds(hierarchy: string): boolean {
  if (existsSync(join(hierarchy, 'cgroup.subtree_control'))) {
    return readFileSync(join(hierarchy, 'cgroup.subtree_control'), 'utf8').split(/\s+/).includes('pids');
  }
  return hierarchy.endsWith('/pids') && existsSync(join(hierarchy, 'cgroup.procs'));
}

function removeLeft(): void {
  for (const folder of left) if (attempt(() => rmdirSync(folder)) || !existsSync(folder)) left.delete(folder);
}

/**
 * Identifies this process in the name of a cell, e.g. `4026531836-812-90021`. Its number alone is not enough: numbers
 * are reused, and a process in another PID namespace may have the same one. Null if there is no /proc.
 */
function maker(): string | null {
  const id = processId(process.pid);
  return id === undefined ? null : `${pidNamespace()}-${id.pid}-${id.start}`;
}

const processId = (pid: number): ProcessId | undefined => BY_PROC.some([pid])[0];

/** Inode of this process's PID namespace. */
const pidNamespace = (): string => /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';

/**
 * Removes cgroups of killed processes in this PID namespace. A cgroup that still contains a process cannot be removed.
 */
function removeOfTheDead(parent: string): void {
  const ours = pidNamespace();
  for (const name of readdirSync(parent)) {
    const [, namespace, pid, start] = /^autonomous-(\d+)-(\d+)-(\d+)-/.exec(name) ?? [];
    if (namespace === ours && processId(Number(pid))?.start !== start) attempt(() => rmdirSync(join(parent, name)));
  }
}

/** How often the bound refused a task. Zero if the kernel does not count it. */
function refusals(file: string): number {
  let text = '';
  attempt(() => {
    text = readFileSync(file, 'utf8');
  });
  return Number(/^max (\d+)$/m.exec(text)?.[1] ?? 0);
}

function membersOf(file: string): number[] {
  let text = '';
  attempt(() => {
    text = readFileSync(file, 'utf8');
  });
  // 0 is a process of another PID namespace, which dies with its head.
  return text
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0);
}

let hierarchy: string | null | undefined;

/** Null if no cgroup can be created: then only the supervisor's checks limit the number of processes. */
export function openProcessCgroup(tasks: number, clock: Clock): ProcessCgroup | null {
  if (process.getuid?.() !== 0) return null;
  hierarchy ??= HIERARCHIES.find(bounds) ?? null;
  if (hierarchy === null) return null;
  const parent = hierarchy;
  const own = maker();
  if (own === null) return null;
  if (!opened) {
    opened = true;
    process.once('exit', removeLeft);
    attempt(() => removeOfTheDead(parent));
  }
  removeLeft();
  // Each thread opens separate cells.
  const folder = join(parent, `autonomous-${own}-${randomUUID()}`);
  const made = attempt(() => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'pids.max'), String(tasks));
  });
  if (!made) {
    hierarchy = null;
    return null;
  }
  left.add(folder);
  return {
    enter: (argv) => ['/bin/sh', '-c', 'echo 0 2>/dev/null > "$0"; exec "$@"', join(folder, 'cgroup.procs'), ...argv],
    wasFull: () => refusals(join(folder, 'pids.events')) > 0,
    members: () => membersOf(join(folder, 'cgroup.procs')),
    remove() {
      removeLeft();
      if (left.has(folder)) clock.timer(LINGER_MS, removeLeft);
    },
  };
}
