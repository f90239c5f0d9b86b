/** Which setup commands may run: those of the brief, or those that lock files ask for and the steward approved once per workspace. */
import { approvalOn, need } from '../core/rows.ts';
import { type JobContext, oneId } from './context.ts';
import { question } from './questions.ts';

interface WantedSetup {
  readonly commands: readonly string[];
  /** Whether they may run. */
  readonly isApproved: boolean;
}

/** The setup commands for a checkout. Asks the steward nothing. */
export async function wantedSetup(context: JobContext, folder: string): Promise<WantedSetup> {
  const { state } = context.store;
  const job = need(state, 'jobs', context.jobId);
  const commands = job.options.setup ?? (await context.detectSetup(folder));
  const list = commands.join('\n');
  const asked = approvalOn(state, job.id, 'setup');
  // The answer is about these words: a lock file that came with the work asks for others.
  const isAnswered = asked?.status === 'approved' && asked.detail === list;
  const isKnown = commands.length === 0 || job.options.setup !== null || state.meta.setup_allowed.includes(list);
  return { commands, isApproved: isAnswered || isKnown };
}

/** The commands for a checkout; `asked`: the steward decides about them first. */
export async function approvedSetup(context: JobContext, folder: string): Promise<readonly string[] | 'asked'> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const { commands, isApproved } = await wantedSetup(context, folder);
  if (isApproved) return commands;
  const list = commands.join('\n');
  const approval = question(job, await oneId(context, 'approvals'), {
    kind: 'setup',
    subject: 'setup',
    question: 'Run these setup commands in the clone, with the package registries allowed?',
    detail: list,
  });
  await context.store.commit({ type: 'approval_requested', approval });
  return 'asked';
}
