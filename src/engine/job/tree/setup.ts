/**
 * Which setup commands may run: those of the brief, or those that lock files ask for and the steward approved once per workspace; then
 * those of the accepted plan and those that the steward added.
 */
import { type About, approvalOn } from '../../../core/approval/about.ts';
import { skipsSetup } from '../../../core/job/nextAction.ts';
import { need } from '../../../core/state/rows.ts';
import { question } from '../../approval/questions.ts';
import { type JobContext, oneId } from '../context.ts';

const SETUP: About = { of: 'setup' };

interface WantedSetup {
  readonly commands: readonly string[];
  /** The question that the steward must approve before the commands may run. Empty if they may run. */
  readonly asks: string;
}

/** The setup commands for a checkout. Asks the steward nothing. */
export async function wantedSetup(context: JobContext, folder: string): Promise<WantedSetup> {
  const { state } = context.store;
  const job = need(state, 'jobs', context.jobId);
  if (skipsSetup(state, job.id)) return { commands: job.setup_added, asks: '' };
  const first = job.options.setup ?? (await context.detectSetup(folder));
  const list = first.join('\n');
  const asked = approvalOn(state, job.id, SETUP);
  // The answer is about these commands only: a lock file from the work needs other commands.
  const isAnswered = asked?.status === 'approved' && asked.detail === list;
  const isKnown = first.length === 0 || job.options.setup !== null || state.meta.setup_allowed.includes(list);
  const commands = [...first, ...job.setup_added.filter((command) => !first.includes(command))];
  return { commands, asks: isAnswered || isKnown ? '' : list };
}

/** The commands for a checkout; `asked`: the steward decides about them first. */
export async function approvedSetup(context: JobContext, folder: string): Promise<readonly string[] | 'asked'> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const { commands, asks } = await wantedSetup(context, folder);
  if (asks === '') return commands;
  const approval = question(job, await oneId(context, 'approvals'), {
    kind: 'setup',
    about: SETUP,
    question: 'Run these setup commands in the clone, with the package registries allowed?',
    detail: asks,
  });
  await context.store.commit({ type: 'approval_requested', approval });
  return 'asked';
}
