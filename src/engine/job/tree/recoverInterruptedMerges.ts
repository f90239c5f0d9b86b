/**
 * Merges and roll backs that a kill or a full disk cut short: finished or undone before an owner begins anything, whatever
 * became of their jobs. So no lock of ours stays in the user's repository.
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

/** What cannot be settled now is told, and waits for the job's next merge, or the next owner. */
export async function recoverInterruptedMerges({ git, state, projectDir, problem }: Settling): Promise<void> {
  for (const job of state.jobs.values()) {
    if (job.clone_dir === null) continue;
    const note = await git.recoverFastForward(jobTree(projectDir, job)).catch(messageOf);
    if (note !== null) problem(`the merge of job ${job.id}: ${note}`);
  }
}
