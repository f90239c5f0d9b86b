/** Stores the tree after every turn in the private git directory. Only a worker changes the tree. */

import { TOO_LARGE_HINT, tooLargeText } from '../../../core/repository/tooLarge.ts';
import { need, openAttempt } from '../../../core/state/rows.ts';
import { failure, findFailure } from '../../../shared/errors.ts';
import type { AgentRole } from '../../../shared/session.ts';
import type { TreeFiles } from '../../session/ports.ts';
import { type JobContext, staleOf } from '../context.ts';
import { isShellBusy, quietShells } from '../work/sessionShell.ts';
import { keepTurn } from './keptWork.ts';
import { cloneState, laneHead, treeOf } from './tree.ts';

interface Checkpointing {
  checkpoint(): Promise<string | null>;
  restore(checkpoint: string | null): Promise<void>;
  notice(): string | null;
}

/**
 * `start` is the known tree when the session opens, or null if unknown. `isOurs` is false for an external agent, which changes
 * the tree without the engine's tools.
 */
export function checkpointing(
  context: JobContext,
  role: AgentRole,
  start: string | null,
  isOurs: boolean,
): Checkpointing {
  if (role !== 'worker') return { checkpoint: async () => null, restore: async () => undefined, notice: () => null };
  const { memory } = context;
  if (start === null) memory.touched = null;
  let known = start;
  let told: string | null = null;
  return {
    checkpoint: async () => {
      const opening = known;
      known = null;
      if (opening !== null) return opening;
      const changed = isOurs && memory.touched !== null ? [...memory.touched] : null;
      const commit = await checkpointTree(context, changed);
      if (!isOurs) memory.touched = null;
      await keepTurn(context, commit);
      return commit;
    },
    restore: async (checkpoint) => {
      const job = need(context.store.state, 'jobs', context.jobId);
      const start = openAttempt(context.store.state, job.id, context.lane)?.start;
      await restoreTree(context, checkpoint ?? start ?? laneHead(context, job));
    },
    notice: () => {
      const job = need(context.store.state, 'jobs', context.jobId);
      const text = tooLargeText(context.git.tooLarge(treeOf(context, job)));
      const isNew = text !== null && text !== told;
      told = text;
      return isNew ? `${text} ${TOO_LARGE_HINT}` : null;
    },
  };
}

/** A commit of the tree as it is; the last one when nothing changed since. `changed`: as for GitPort.checkpoint. */
export async function checkpointTree(context: JobContext, changed: readonly string[] | null = null): Promise<string> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const { memory } = context;
  const last = memory.lastCheckpoint ?? laneHead(context, job);
  const known = memory.lastCheckpoint === null ? null : changed;
  memory.touched = null;
  // A command that runs in the background now may write after git read the tree, even if it ends before this returns.
  const isBusy = isShellBusy(context);
  const commit = await context.git.checkpoint(treeOf(context, job), last, known);
  memory.lastCheckpoint = commit;
  memory.touched = isBusy ? null : new Set();
  return commit;
}

/**
 * Watches the files of a built-in session: the next checkpoint reads only the paths that they write, and a file that another lane
 * changed is read before it is replaced.
 */
export function watchedFiles({ memory }: Pick<JobContext, 'memory'>, sessionId: number, files: TreeFiles): TreeFiles {
  const stale = staleOf(memory, sessionId);
  /** An edit reads the file and then writes it. One that fails has shown no text of the file. */
  let edited: string | null = null;
  return {
    ...files,
    async read(path, bounds) {
      const text = await files.read(path, bounds);
      edited = plainPath(path);
      return text;
    },
    async bytes(path, bounds) {
      const content = await files.bytes(path, bounds);
      stale.delete(plainPath(path));
      return content;
    },
    async write(path, content) {
      const { touched } = memory;
      const isEdit = edited === plainPath(path);
      edited = null;
      if (!isEdit && stale.has(plainPath(path)) && (await isThere(files, path)))
        throw failure('NOT_PERMITTED', `${path} was changed by another feature: read it with the tool read first`);
      // A write that fails may leave something behind.
      memory.touched = null;
      const written = await files.write(path, content);
      memory.touched = touched?.add(written) ?? null;
      return written;
    },
  };
}

/** Another lane may have removed the file: then there is nothing to read. */
async function isThere(files: TreeFiles, path: string): Promise<boolean> {
  try {
    await files.look(path);
    return true;
  } catch (thrown) {
    if (findFailure(thrown)?.code === 'NOT_FOUND') return false;
    throw thrown;
  }
}

/** As git names it. A path with another form is not recognized: then nothing is refused. */
const plainPath = (path: string): string => path.replace(/^(\.\/)+/, '');

/** The tree becomes exactly the commit. */
async function restoreTree(context: JobContext, commit: string): Promise<void> {
  await quietShells(context, 'the tree was restored');
  const job = need(context.store.state, 'jobs', context.jobId);
  context.memory.lastCheckpoint = null;
  context.memory.touched = null;
  await context.git.restore(treeOf(context, job), commit);
  context.memory.lastCheckpoint = commit;
  context.memory.touched = new Set();
}

/**
 * Moves the agent's git to the commit that the lane's work is based on, or to `to`: after an accepted feature, a merge of the base, or
 * a kill between one of them and this call. The last option also undoes a checkout of commits that the agent made since then.
 */
export async function followHead(context: JobContext, to: string | null = null, anew = false): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  if (job.head === null || !job.setup_done) return;
  const head = to ?? laneHead(context, job);
  if (!anew && context.memory.followed === head) return;
  await quietShells(context, 'the clone follows an accepted commit');
  await context.git.followHead(treeOf(context, job), { ...cloneState(job, context.signal, head), anew });
  context.memory.followed = head;
}

/**
 * A new attempt starts from what counts: files that verify commands or another attempt left are removed. `base`: the accepted commit
 * below `commit`; by default that of the lane.
 */
export async function ensureTree(context: JobContext, commit: string, base: string | null = null): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const isSame = context.memory.lastCheckpoint === commit && (await checkpointTree(context)) === commit;
  // A file that is too large to commit is in the tree, and in no checkpoint.
  if (isSame && context.git.tooLarge(treeOf(context, job)).length === 0) return;
  await restoreTree(context, commit);
  // Without this, the agent's own commits of the last attempt would look as if the new tree reverted them.
  const head = base ?? laneHead(context, job);
  if (commit === head) await followHead(context, head, true);
}
