/**
 * Finishes or undoes merges and rollbacks that a kill or a full disk interrupted, before an owner starts any work and whatever
 * the status of their jobs. So the engine leaves no lock in the user's repository.
 */

import { messageOf } from '../../../shared/errors.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { GitPort } from '../gitPorts.ts';
import { jobTree } from './tree.ts';

interface Settling {
  readonly git: Pick<GitPort, 'recoverFastForward'>;
  readonly state: State;
  readonly projectDir: string;
  problem(text: string): void;
}

/** Reports a merge that cannot be recovered now; it is left to the job's next merge or the next owner. */
export async function recoverInterruptedMerges({ git, state, projectDir, problem }: Settling): Promise<void> {
  for (const job of state.jobs.values()) {
    if (job.clone_dir === null) continue;
    const note = await git.recoverFastForward(jobTree(projectDir, job)).catch(messageOf);
    if (note !== null) problem(`the merge of job ${job.id}: ${note}`);
  }
}
