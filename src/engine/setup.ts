/** Which setup commands may run: those of the brief, or those that lock files ask for and the steward approved once per workspace. */
import { approvalOn, need } from '../core/rows.ts';
import { type JobContext, oneId } from './context.ts';
import { question } from './questions.ts';

/** The commands for a checkout; `asked`: the steward decides about them first. */
export async function approvedSetup(context: JobContext, folder: string): Promise<readonly string[] | 'asked'> {
  const { state } = context.store;
  const job = need(state, 'jobs', context.jobId);
  const commands = job.options.setup ?? (await context.detectSetup(folder));
  const list = commands.join('\n');
  const asked = approvalOn(state, job.id, 'setup');
  // The answer is about these words: a lock file that came with the work asks for others.
  const isApproved = asked?.status === 'approved' && asked.detail === list;
  if (commands.length === 0 || job.options.setup !== null || isApproved || state.meta.setup_allowed.includes(list))
    return commands;
  const approval = question(job, await oneId(context, 'approvals'), {
    kind: 'setup',
    subject: 'setup',
    question: 'Run these setup commands in the clone, with the package registries allowed?',
    detail: list,
  });
  await context.store.commit({ type: 'approval_requested', approval });
  return 'asked';
}
