/** Writes small files that show the state to other programs: completely or not at all, and only when they changed. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isOver } from '../../core/job/view/jobStatus.ts';
import { INDEX_FILE, indexFiles, indexFolder, jobFiles, type ManifestFile } from '../../core/workspace/manifest.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure, messageOf } from '../../shared/errors.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import type { Event } from '../../shared/workspace/events.ts';
import type { Change, State } from '../../shared/workspace/state.ts';
import { rename, rm } from '../platform/heldFiles.ts';

/**
 * Changes within this time are written together. The time grows with the size of the files, so that writing stays
 * cheap.
 */
const DELAY_MS = 500;
const DELAY_MS_PER_KIB = 10;
const MAX_DELAY_MS = 30_000;

export interface ManifestFiles {
  /**
   * Replaces the file by temp and rename, unless its content is the same as the last one. Calls run in order. `ended`:
   * folders that rarely change any more; their content is not kept in memory. Throws DISK.
   */
  put(files: readonly ManifestFile[], ended?: readonly string[]): Promise<void>;
  /** Only useful while the folder is still shown: writes nothing into a folder that was removed, or whose manifest already matches. */
  mend(folder: string, made: () => readonly ManifestFile[]): Promise<void>;
}

async function replace(path: string, text: string): Promise<void> {
  const part = `${path}.part`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(part, text, { mode: 0o600 });
    await rename(part, path);
  } catch (cause) {
    const why = messageOf(cause);
    throw failure('DISK', `cannot write ${path}: ${why}`, { cause, details: { path } });
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false; // missing, or not accessible: then no file is written there
  }
}

export function createManifestFiles(): ManifestFiles {
  const written = new Map<string, string>();
  let last: Promise<void> = Promise.resolve();

  async function putAll(files: readonly ManifestFile[], ended: readonly string[]): Promise<void> {
    for (const { path, text } of files) {
      if (written.get(path) !== text) await replace(path, text);
      if (ended.includes(dirname(path))) written.delete(path);
      else written.set(path, text);
    }
  }

  async function mendAll(folder: string, made: () => readonly ManifestFile[]): Promise<void> {
    if (!(await isFolder(folder))) return;
    for (const { path, text } of made()) {
      // An unreadable file is rewritten.
      const held = await readFile(path, 'utf8').catch(() => null);
      if (held !== text) await replace(path, text);
    }
  }

  function next(write: () => Promise<void>): Promise<void> {
    const mine = last.then(write);
    // the next call does not fail because this one did
    last = mine.catch(() => undefined);
    return mine;
  }

  return {
    put: (files, ended = []) => next(() => putAll(files, ended)),
    mend: (folder, made) => next(() => mendAll(folder, made)),
  };
}

/** The part of the store that the follower needs. */
interface Followed {
  readonly state: State;
  subscribe(listener: (event: Event, changes: readonly Change[]) => void): () => void;
}

export interface FollowOptions {
  readonly store: Followed;
  /**
   * The folder in which this owner creates the clones of jobs. The index is in the folder of the workspace's first job.
   */
  readonly jobsDir: string;
  readonly clock: Clock;
  /** Called if a file could not be written. The next change retries: the files only show the state. */
  readonly failed?: (failure: unknown) => void;
}

export interface ManifestFollower {
  /** Resolves when all started writes are on the disk. */
  written(): Promise<void>;
  /** Writes pending changes and stops. */
  close(): Promise<void>;
}

/** The job that a change is about, or null. */
function jobOf(change: Change): string | null {
  if (change.table === 'meta' || !('put' in change)) return null;
  if (change.table === 'jobs') return change.put.id;
  return 'job_id' in change.put ? change.put.job_id : null;
}

/**
 * Writes the manifests of running jobs, and of every job that changes: within a second, large ones within 30. Those of
 * ended jobs are checked once, because an owner that was killed could not write the last of them.
 */
export function followManifests({ store, jobsDir, clock, failed }: FollowOptions): ManifestFollower {
  const files = createManifestFiles();
  const changed = new Set<string>();
  let cancel: (() => void) | null = null;
  let writing: Promise<void> = Promise.resolve();
  let delay = DELAY_MS;
  let closed = false;
  let selected = store.state.meta.current_job;

  function write(): void {
    cancel = null;
    const isSelected = store.state.meta.current_job !== selected;
    selected = store.state.meta.current_job;
    const jobs = [...changed].flatMap((id) => store.state.jobs.get(id) ?? []);
    changed.clear();
    const ended = jobs.filter(isOver).map(({ job_dir }) => job_dir);
    const texts = jobs.flatMap(({ id }) => jobFiles(store.state, id));
    if (jobs.length > 0 || isSelected) texts.push(...indexFiles(store.state));
    const characters = texts.reduce((sum, { text }) => sum + text.length, 0);
    delay = Math.min(MAX_DELAY_MS, Math.max(DELAY_MS, (characters / 1024) * DELAY_MS_PER_KIB));
    writing = files.put(texts, ended).catch((thrown: unknown) => failed?.(thrown));
  }

  async function mendEnded(over: readonly JobRow[]): Promise<void> {
    for (const { id, job_dir } of over) {
      if (closed) return;
      if (job_dir !== '') await files.mend(job_dir, () => jobFiles(store.state, id));
    }
    const folder = indexFolder(store.state);
    if (folder === null || closed) return;
    if (over.length > 0) await files.mend(folder, () => indexFiles(store.state));
    // Older versions wrote one into each folder that `--jobs-dir` named: it would name the wrong job forever.
    if (folder !== jobsDir) await rm(join(jobsDir, INDEX_FILE), { force: true });
  }

  for (const job of store.state.jobs.values()) {
    if (!isOver(job)) changed.add(job.id);
  }
  write();
  const mended = mendEnded([...store.state.jobs.values()].filter(isOver)).catch((thrown: unknown) => failed?.(thrown));
  const stop = store.subscribe((_event, changes) => {
    for (const change of changes) {
      const id = jobOf(change);
      if (id !== null) changed.add(id);
    }
    if (changed.size > 0 || store.state.meta.current_job !== selected) cancel ??= clock.timer(delay, write);
  });

  return {
    written: async () => {
      await Promise.all([writing, mended]);
    },
    async close() {
      closed = true;
      stop();
      cancel?.();
      write();
      await Promise.all([writing, mended]);
    },
  };
}
