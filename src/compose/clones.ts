/** The clones of a workspace's jobs on the disk: how large they are, and taking away those whose work is kept elsewhere. */
import { lstat, opendir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nodeFiles } from '../adapters/files.ts';
import { journalOf } from '../adapters/git/transfer.ts';
import { keptAttempts } from '../adapters/keptWork.ts';
import { type CleanUp, cleanUp, type JobClone } from '../core/cloneCleanUp.ts';
import { fileSize } from '../core/fileSize.ts';
import { isFinal, JOB } from '../core/machines.ts';
import type { GitPort } from '../engine/gitPorts.ts';
import { keepWork } from '../engine/keptWork.ts';
import type { Places } from '../engine/state/places.ts';
import type { Store } from '../engine/store.ts';
import { jobTree } from '../engine/tree.ts';
import type { Clock } from '../shared/clock.ts';
import type { JobRow } from '../shared/domain.ts';
import { findFailure, messageOf } from '../shared/errors.ts';
import type { EventType } from '../shared/events.ts';
import type { State } from '../shared/state.ts';
import type { Viewer } from './readOnly.ts';
import { filesOfEpoch } from './stateFiles.ts';
import { lookAtState } from './storage.ts';

/** What clones of a workspace may take in all, where nobody says otherwise. */
export const CLONES_BYTES = 20_000_000_000;
/** After these there may be one more clone that can go. */
const ENDS: ReadonlySet<EventType> = new Set(['job_completed', 'job_failed', 'job_cancelled']);
/** Of a job's folder: its manifest stays. */
const PARTS = ['work', 'git', 'fresh'] as const;

interface Cleaning {
  readonly store: Store;
  readonly places: Places;
  readonly clock: Clock;
  readonly git: GitPort;
  /** One that is over may still be put away: what its last command left is being kept. */
  inHand(jobId: string): boolean;
}

/** Bytes of the files below; links are not followed. What goes away meanwhile counts nothing. */
async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  const entries = await opendir(folder).catch(() => null);
  if (entries === null) return 0;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await sizeOf(path);
    else bytes += (await lstat(path).catch(() => null))?.size ?? 0;
  }
  return bytes;
}

/** Only a folder that we made there: a row may name any. */
async function hasClone({ jobsDir }: Places, job: JobRow): Promise<boolean> {
  if (job.job_dir === '' || dirname(job.job_dir) !== jobsDir) return false;
  const stats = await Promise.all([job.job_dir, join(job.job_dir, 'git')].map((path) => lstat(path).catch(() => null)));
  return stats.every((stat) => stat?.isDirectory() === true);
}

/** Every attempt that may have changed something has its work in `.autonomous`, as its event says. */
async function isKept({ stateDir }: Places, state: State, job: JobRow): Promise<boolean> {
  const kept = keptAttempts(stateDir, nodeFiles);
  for (const attempt of state.attempts.values()) {
    if (attempt.job_id !== job.id || attempt.feature_id === null) continue;
    if (attempt.kept === null && attempt.diff === null && attempt.status !== 'abandoned') continue;
    const file = await kept.get(attempt.id).catch(damaged);
    if (file === null && attempt.status === 'abandoned' && attempt.diff === null) continue;
    if (file === null || file === 'damaged' || (attempt.kept !== null && file.hash !== attempt.kept)) return false;
  }
  return true;
}

/** One file that was cut off or overwritten keeps its own clone, and holds up no other. */
function damaged(thrown: unknown): 'damaged' {
  if (findFailure(thrown)?.code !== 'STATE_DAMAGED') throw thrown;
  return 'damaged';
}

/** If the folder of the clone is gone, it holds nothing more to keep. */
function gone(thrown: unknown): null {
  if (findFailure(thrown)?.code !== 'CLONE_MISSING') throw thrown;
  return null;
}

/** A merge of it was cut short and waits to be settled: what it takes for that lies beside the clone. */
async function isMoving(job: JobRow): Promise<boolean> {
  return (await lstat(journalOf({ gitDir: join(job.job_dir, 'git') })).catch(() => null)) !== null;
}

async function cloneBytes(job: JobRow): Promise<number> {
  const sizes = await Promise.all(PARTS.map((part) => sizeOf(join(job.job_dir, part))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function allBytes(places: Places, state: State): Promise<number> {
  let bytes = 0;
  for (const job of state.jobs.values()) if (await hasClone(places, job)) bytes += await cloneBytes(job);
  return bytes;
}

async function clonesOf(places: Places, state: State, inHand: (jobId: string) => boolean): Promise<JobClone[]> {
  const clones: JobClone[] = [];
  for (const job of state.jobs.values()) {
    if (!(await hasClone(places, job))) continue;
    clones.push({
      jobId: job.id,
      title: job.title,
      bytes: await cloneBytes(job),
      endedAt: isFinal(JOB, job.status) && !inHand(job.id) ? (job.ended_at ?? job.created_at) : null,
      kept: (await isKept(places, state, job)) && !(await isMoving(job)),
    });
  }
  return clones;
}

/** What would go. */
export async function previewCleanUp(viewer: Viewer, maxBytes: number = CLONES_BYTES): Promise<CleanUp> {
  const store = await lookAtState(viewer);
  await store.close();
  return cleanUp(await clonesOf(viewer.places, store.state, () => false), maxBytes);
}

/** What a turn left that a kill cut off: in no checkpoint, and nobody went on with it before the job was cancelled. */
async function keepLast({ places, store, clock, git }: Cleaning, job: JobRow): Promise<void> {
  const last = [...store.state.attempts.values()].findLast((row) => row.job_id === job.id && row.feature_id !== null);
  if (last?.status !== 'abandoned' || job.head === null) return;
  const { projectDir, stateDir } = places;
  const kept = keptAttempts(stateDir, filesOfEpoch(stateDir, store.epoch));
  const commit = await git.checkpoint(jobTree(projectDir, job), job.head).catch(gone);
  if (commit === null) return;
  await keepWork({ store, git, clock, kept, projectDir, memory: { kept: null } }, last, commit);
}

/** In the owner alone: nobody begins anything in a clone meanwhile, for jobs that are over and put away stay so. */
async function cleanClones(cleaning: Cleaning, maxBytes: number): Promise<CleanUp> {
  const { places, store, inHand } = cleaning;
  const { state } = store;
  const chosen = cleanUp(await clonesOf(places, state, inHand), maxBytes);
  for (const { jobId } of chosen.go) {
    const job = state.jobs.get(jobId);
    if (job === undefined) continue;
    await keepLast(cleaning, job);
    for (const part of PARTS) await rm(join(job.job_dir, part), { recursive: true, force: true, maxRetries: 3 });
  }
  return chosen;
}

/** Under the ceiling: looked at when a job ends that nobody works on, and by `look` when one is put away. What went is told. */
export function keepClonesUnder(
  maxBytes: number,
  cleaning: Cleaning & { problem(text: string): void },
): { look(): void; clean(bytes: number | null): Promise<CleanUp>; close(): Promise<void> } {
  const { store, places, inHand, problem } = cleaning;
  let last: Promise<unknown> = Promise.resolve();
  const clean = (bytes: number): Promise<CleanUp> => {
    const next = last.then(() => cleanClones(cleaning, bytes));
    last = next.catch(() => undefined);
    return next;
  };
  const look = async (): Promise<void> => {
    // What is kept of each attempt is read only where a clone may have to go.
    if ((await allBytes(places, store.state)) <= maxBytes) return;
    const { go, bytes, left } = await clean(maxBytes);
    if (go.length === 0) return;
    const jobs = go.map(({ jobId }) => jobId).join(', ');
    problem(
      `the clones took ${fileSize(bytes)}: those of jobs that are over went (${jobs}), ${fileSize(left)} are left; each attempt can be restored`,
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
