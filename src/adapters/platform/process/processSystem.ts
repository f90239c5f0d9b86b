/** How this system lists, watches and ends processes. Apart from the platform, which every look of a window loads. */
import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../../../shared/clock.ts';
import { platform } from '../platform.ts';
import type { Platform } from '../system.ts';
import { BY_PROC, hasProc } from './byProc.ts';
import { byPs } from './byPs.ts';
import { openProcessCgroup, type ProcessCgroup } from './cgroup.ts';
import { type DeathWatch, MARKED_BY_PROC, MARKED_BY_PS, watchGroup } from './deathWatch.ts';
import type { Processes } from './processes.ts';
import { kill } from './signals.ts';
import { jobsReady, watchInJob } from './windowsJobs.ts';

interface ProcessSystem {
  readonly processes: Processes;
  /** Ends a process that was started here, and its group if it leads one. */
  endGroup(child: ChildProcess): void;
  /** Call before a command starts that has `marker` in its environment. */
  watchDeath(marker: string, clock: Clock): DeathWatch;
  /** Call before each command. Returns whether a watch can be started. */
  ready(clock: Clock): Promise<boolean>;
  /** Null if the kernel cannot bound the tasks of a command. */
  openCgroup(tasks: number, clock: Clock): ProcessCgroup | null;
}

/** A list takes a second of a program, during which nothing else happens: a job object contains what a command starts. */
const NOT_LISTED: Processes = {
  all: () => [],
  some: () => [],
  isSameStart: (a, b) => a === b,
  threadStates: () => '',
  words: () => '',
  program: () => '',
  withVariable: () => [],
  children: () => null,
  taskCount: () => null,
  lookMs: 1_000,
};

const endGroup = ({ pid }: ChildProcess): void => {
  if (pid !== undefined) kill(-pid);
};

/** As BSD spells the options that show environments, which every `ps` of a Unix but macOS knows. */
const WIDE = 'eww';

function ofLinux(): ProcessSystem {
  const isListed = hasProc();
  const marked = isListed ? MARKED_BY_PROC : MARKED_BY_PS(WIDE);
  return {
    processes: isListed ? BY_PROC : byPs([WIDE]),
    endGroup,
    watchDeath: (marker) => watchGroup(marked, marker),
    openCgroup: openProcessCgroup,
    ready: async () => true,
  };
}

const ofMacos = (): ProcessSystem => ({
  processes: byPs(['-E', '-ww']),
  endGroup,
  watchDeath: (marker) => watchGroup(MARKED_BY_PS('-E -ww'), marker),
  openCgroup: () => null,
  ready: async () => true,
});

const ofWindows = (): ProcessSystem => ({
  processes: NOT_LISTED,
  // By the handle of this process, whose id is therefore not reused.
  endGroup: (child) => void child.kill('SIGKILL'),
  watchDeath: (_, clock) => watchInJob(clock),
  openCgroup: () => null,
  ready: jobsReady,
});

const BY_NAME: Readonly<Record<Platform['name'], () => ProcessSystem>> = {
  linux: ofLinux,
  macos: ofMacos,
  windows: ofWindows,
};

export const processSystem: ProcessSystem = BY_NAME[platform.name]();
