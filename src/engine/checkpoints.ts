/** The tree after every turn, kept in our private git directory. Only a worker changes the tree. */
import { need } from '../core/rows.ts';
import type { Role } from '../shared/domain.ts';
import type { JobContext } from './context.ts';
import { keepTurn } from './keptWork.ts';
import { jobHead, jobTree } from './tree.ts';

interface Checkpointing {
  checkpoint(): Promise<string | null>;
  restore(checkpoint: string | null): Promise<void>;
}

/** `start`: what the tree is known to be when the session opens; null: not known. */
export function checkpointing(context: JobContext, role: Role, start: string | null): Checkpointing {
  if (role !== 'worker') return { checkpoint: async () => null, restore: async () => undefined };
  let known = start;
  return {
    checkpoint: async () => {
      const opening = known;
      known = null;
      if (opening !== null) return opening;
      const commit = await checkpointTree(context);
      await keepTurn(context, commit);
      return commit;
    },
    restore: async (checkpoint) => {
      const job = need(context.store.state, 'jobs', context.jobId);
      await restoreTree(context, checkpoint ?? jobHead(job));
    },
  };
}

/** A commit of the tree as it is; the last one when nothing changed since. */
export async function checkpointTree(context: JobContext): Promise<string> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const last = context.memory.lastCheckpoint ?? jobHead(job);
  const commit = await context.git.checkpoint(jobTree(context.projectDir, job), last);
  context.memory.lastCheckpoint = commit;
  return commit;
}

/** The tree becomes exactly the commit. */
async function restoreTree(context: JobContext, commit: string): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  context.memory.lastCheckpoint = null;
  await context.git.restore(jobTree(context.projectDir, job), commit);
  context.memory.lastCheckpoint = commit;
}

/** A new attempt starts from what counts: what verify commands or a given-up attempt left is undone. */
export async function ensureTree(context: JobContext, commit: string): Promise<void> {
  if (context.memory.lastCheckpoint === commit && (await checkpointTree(context)) === commit) return;
  await restoreTree(context, commit);
}
