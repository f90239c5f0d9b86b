/** Measures the clones of a workspace's jobs, and removes those whose work is stored elsewhere. */
import path from 'node:path';
import { type CleanUp, cleanUp, type JobClone } from '../../../core/job/cloneCleanUp.ts';
import { isFinal, JOB } from '../../../core/state/machines.ts';
import { laneOf } from '../../../core/state/rows.ts';
import { fileSize } from '../../../core/text/fileSize.ts';
import type { Clock } from '../../../shared/clock.ts';
import { findFailure, messageOf } from '../../../shared/errors.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { EventType } from '../../../shared/workspace/events.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { Store } from '../../state/store.ts';
import type { GitPort, KeptAttempts } from '../gitPorts.ts';
import { keepWork } from './keptWork.ts';
import { jobTree } from './tree.ts';

/** Default for the maximum total size of a workspace's clones. */
export const CLONES_BYTES = 20_000_000_000;
/** After these there may be one more clone that can go. */
const ENDS: ReadonlySet<EventType> = new Set(['job_completed', 'job_failed', 'job_cancelled']);
/** Subfolders of a job that cleanup removes. The manifest is kept. */
const PARTS = ['work', 'git', 'fresh'] as const;

/** Folders of jobs on the disk. */
export interface JobFolders {
  /** Whether this is a folder, and no link to one. */
  isFolder(folder: string): Promise<boolean>;
  /** Bytes of the files below; links are not followed. A file that disappears meanwhile counts as 0. */
  bytes(folder: string): Promise<number>;
  /** Whether an interrupted merge must still be recovered: the data for that is beside the clone. */
  isMoving(gitDir: string): Promise<boolean>;
  remove(folder: string): Promise<void>;
}

interface Looking {
  readonly folders: Pick<JobFolders, 'isFolder' | 'bytes' | 'isMoving'>;
  readonly kept: Pick<KeptAttempts, 'get'>;
  readonly jobsDir: string;
}

export interface Cleaning extends Looking {
  readonly folders: JobFolders;
  readonly kept: KeptAttempts;
  readonly store: Pick<Store, 'state' | 'subscribe'>;
  readonly projectDir: string;
  readonly clock: Clock;
  readonly git: Pick<GitPort, 'checkpoint' | 'origin' | 'change' | 'treeId'>;
  /** Whether the job is still being stopped although it has ended: the output of its last command is being saved. */
  inHand(jobId: string): boolean;
}

const gitDirOf = (job: JobRow): string => path.join(job.job_dir, 'git');

/** Only a folder inside of the jobs folder, because a row may name any path. */
async function hasClone({ folders, jobsDir }: Looking, job: JobRow): Promise<boolean> {
  if (job.job_dir === '' || path.dirname(job.job_dir) !== jobsDir) return false;
  const there = await Promise.all([job.job_dir, gitDirOf(job)].map((folder) => folders.isFolder(folder)));
  return there.every(Boolean);
}

/** The work of every attempt that may have changed something is stored in `.autonomous`, according to its event. */
async function isKept({ kept }: Looking, state: State, job: JobRow): Promise<boolean> {
  for (const attempt of state.attempts.values()) {
    if (attempt.job_id !== job.id || attempt.feature_id === null) continue;
    if (attempt.kept === null && attempt.diff === null && attempt.status !== 'abandoned') continue;
    const file = await kept.get(attempt.id).catch(damaged);
    if (file === null && attempt.status === 'abandoned' && attempt.diff === null) continue;
    if (file === null || file === 'damaged' || (attempt.kept !== null && file.hash !== attempt.kept)) return false;
  }
  return true;
}

/** A truncated or overwritten file keeps only its own clone, and does not block others. */
function damaged(thrown: unknown): 'damaged' {
  if (findFailure(thrown)?.code !== 'STATE_DAMAGED') throw thrown;
  return 'damaged';
}

/** If the folder of the clone is missing, there is nothing left to save. */
function gone(thrown: unknown): null {
  if (findFailure(thrown)?.code !== 'CLONE_MISSING') throw thrown;
  return null;
}

async function cloneBytes({ folders }: Looking, job: JobRow): Promise<number> {
  const sizes = await Promise.all(PARTS.map((part) => folders.bytes(path.join(job.job_dir, part))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function allBytes(looking: Looking, state: State): Promise<number> {
  let bytes = 0;
  for (const job of state.jobs.values()) if (await hasClone(looking, job)) bytes += await cloneBytes(looking, job);
  return bytes;
}

async function clonesOf(looking: Looking, state: State, inHand: (jobId: string) => boolean): Promise<JobClone[]> {
  const clones: JobClone[] = [];
  for (const job of state.jobs.values()) {
    if (!(await hasClone(looking, job))) continue;
    clones.push({
      jobId: job.id,
      title: job.title,
      bytes: await cloneBytes(looking, job),
      endedAt: isFinal(JOB, job.status) && !inHand(job.id) ? (job.ended_at ?? job.created_at) : null,
      kept: (await isKept(looking, state, job)) && !(await looking.folders.isMoving(gitDirOf(job))),
    });
  }
  return clones;
}

/** Lists the clones that a cleanup would remove. */
export async function wouldClean(looking: Looking, state: State, maxBytes: number = CLONES_BYTES): Promise<CleanUp> {
  return cleanUp(await clonesOf(looking, state, () => false), maxBytes);
}

/**
 * Saves the changes of a turn that a kill interrupted: they are in no checkpoint, and the job was cancelled before it resumed.
 */
async function keepLast({ projectDir, store, clock, git, kept }: Cleaning, job: JobRow): Promise<void> {
  const ofFeatures = [...store.state.attempts.values()].filter(
    (row) => row.job_id === job.id && row.feature_id !== null,
  );
  const last = new Map(ofFeatures.map((row) => [laneOf(row), row]));
  for (const [lane, attempt] of last) {
    if (attempt.status !== 'abandoned' || job.head === null) continue;
    const commit = await git.checkpoint(jobTree(projectDir, job, lane), attempt.base_commit).catch(gone);
    if (commit === null) continue;
    await keepWork({ store, git, clock, kept, projectDir, memory: { kept: null } }, attempt, commit);
  }
}

/** Runs in the owner alone. No process starts work in a clone meanwhile, because an ended job stays ended. */
async function cleanClones(cleaning: Cleaning, maxBytes: number): Promise<CleanUp> {
  const { folders, store, inHand } = cleaning;
  const { state } = store;
  const chosen = cleanUp(await clonesOf(cleaning, state, inHand), maxBytes);
  for (const { jobId } of chosen.go) {
    const job = state.jobs.get(jobId);
    if (job === undefined) continue;
    await keepLast(cleaning, job);
    for (const part of PARTS) await folders.remove(path.join(job.job_dir, part));
  }
  return chosen;
}

/**
 * Removes clones above the ceiling. Checked when a job ends that is not running, and by `look` when one has stopped. Reports what
 * was removed.
 */
export function keepClonesUnder(
  maxBytes: number,
  cleaning: Cleaning & { problem(text: string): void },
): { look(): void; clean(bytes: number | null): Promise<CleanUp>; close(): Promise<void> } {
  const { store, inHand, problem } = cleaning;
  let last: Promise<unknown> = Promise.resolve();
  const clean = (bytes: number): Promise<CleanUp> => {
    const next = last.then(() => cleanClones(cleaning, bytes));
    last = next.catch(() => undefined);
    return next;
  };
  const look = async (): Promise<void> => {
    // The saved work of each attempt is read only if a clone may have to be removed.
    if ((await allBytes(cleaning, store.state)) <= maxBytes) return;
    const { go, bytes, left } = await clean(maxBytes);
    if (go.length === 0) return;
    const jobs = go.map(({ jobId }) => jobId).join(', ');
    problem(
      `the clones took ${fileSize(bytes)}: those of ended jobs were removed (${jobs}), ${fileSize(left)} are left; each attempt can be restored`,
    );
  };
  const failed = (thrown: unknown): void => problem(`clones could not be cleaned up: ${messageOf(thrown)}`);
  const stop = store.subscribe((event) => {
    if (!ENDS.has(event.type) || !('job_id' in event) || event.job_id === null || inHand(event.job_id)) return;
    void look().catch(failed);
  });
  return {
    look: () => void look().catch(failed),
    clean: (bytes) => clean(bytes ?? maxBytes),
    close: async () => {
      stop();
      await last;
    },
  };
}
