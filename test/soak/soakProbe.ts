/** One look at an owner from outside: what the system says of its process, and what lies on the disk. Linux. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Sample {
  /** Of the run's beginning. */
  readonly seconds: number;
  readonly pid: number;
  /** The how manieth sample of this process: by it the lines of its threads are found. */
  readonly nth: number;
  readonly rssBytes: number;
  readonly descriptors: number;
  readonly threads: number;
  readonly processesBelow: number;
  readonly cloneBytes: number;
  readonly stateBytes: number;
  readonly tempEntries: number;
  readonly finishedJobs: number;
}

interface Folders {
  readonly clones: string;
  readonly state: string;
  readonly temp: string;
}

export type Outside = Omit<Sample, 'seconds' | 'nth' | 'finishedJobs'>;

/** null: it is gone. */
export function lookAt(pid: number, { clones, state, temp }: Folders): Outside | null {
  const status = textOf(`/proc/${pid}/status`);
  const rss = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  if (rss === null) return null;
  return {
    pid,
    rssBytes: Number(rss[1]) * 1024,
    descriptors: namesIn(`/proc/${pid}/fd`).length,
    threads: namesIn(`/proc/${pid}/task`).length,
    processesBelow: below(pid).length,
    // Without the manifest of each job, which stays.
    cloneBytes: namesIn(clones).reduce((sum, job) => sum + clonedIn(join(clones, job)), 0),
    stateBytes: bytesBelow(state),
    tempEntries: namesIn(temp).length,
  };
}

const clonedIn = (job: string): number => bytesBelow(join(job, 'work')) + bytesBelow(join(job, 'git'));

interface Below {
  readonly pid: number;
  readonly words: string;
}

/** Its children, theirs, and so on. */
export function below(pid: number): Below[] {
  const children = namesIn(`/proc/${pid}/task`)
    .flatMap((thread) => textOf(`/proc/${pid}/task/${thread}/children`).split(' '))
    .filter((word) => word !== '')
    .map(Number);
  return children.flatMap((child) => [
    { pid: child, words: textOf(`/proc/${child}/cmdline`).replaceAll('\0', ' ').trim() },
    ...below(child),
  ]);
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not there yet, or gone while we looked
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it ended while we looked
  }
}

/** Links are not followed. What goes away meanwhile counts nothing. */
function bytesBelow(folder: string): number {
  let bytes = 0;
  for (const name of namesIn(folder)) {
    const entry = lstatSync(join(folder, name), { throwIfNoEntry: false });
    bytes += entry?.isDirectory() === true ? bytesBelow(join(folder, name)) : (entry?.size ?? 0);
  }
  return bytes;
}
