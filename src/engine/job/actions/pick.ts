/** Makes the picked candidate the result of its feature. */
import type { Action } from '../../../core/job/action.ts';
import { need } from '../../../core/state/rows.ts';
import type { JobContext } from '../context.ts';
import { messageFor } from '../result/featureMessage.ts';
import { advance } from '../tree/branch.ts';
import { jobHead, treeOf } from '../tree/tree.ts';
import { closeConversation } from './attempt.ts';

export async function pickCandidate(
  context: JobContext,
  { feature, attempt, feedback, by }: Extract<Action, { do: 'pick' }>,
): Promise<void> {
  await closeConversation(context);
  const job = need(context.store.state, 'jobs', context.jobId);
  const picked = { type: 'candidate_picked', id: feature.id, feedback, by } as const;
  if (attempt === null || attempt.commit === null) {
    await context.store.commit({ ...picked, attempt_id: null, commit: null });
    return;
  }
  const parent = jobHead(job);
  const message = await messageFor(context, job, feature, attempt.summary);
  const commit = await context.git.commit(treeOf(context, job), { parent, message, of: attempt.commit });
  await advance(context, job, parent, commit ?? parent);
  await context.store.commit({ ...picked, attempt_id: attempt.id, commit: commit ?? parent });
}
