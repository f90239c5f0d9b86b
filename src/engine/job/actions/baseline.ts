/** The verify commands before any work, in a fresh checkout of the commit that the job starts from. */
import { missingForAll } from '../../../core/job/result/baseline.ts';
import { need } from '../../../core/state/rows.ts';
import type { NewApproval } from '../../../shared/approval.ts';
import type { Evidence } from '../../../shared/job/evidence.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import { question } from '../../approval/questions.ts';
import { type JobContext, oneId } from '../context.ts';
import { freshEvidence } from '../tree/freshTree.ts';
import { jobHead } from '../tree/tree.ts';

const NO_SANDBOX = 'there is no sandbox, so each run would be a question to you';

export async function checkBaseline(context: JobContext, commands: readonly string[]): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const skipped = (await context.commands.sandbox()).mode === 'unconfined' ? NO_SANDBOX : null;
  const about = { commit: job.baseline ?? jobHead(job), label: 'before any work', all: true };
  const evidence = skipped === null ? await freshEvidence(context, commands, about) : [];
  if (context.signal.aborted || evidence === null) return;
  const approval = await missingQuestion(context, job, evidence);
  const asks = approval === null ? {} : { approval };
  await context.store.commit({ type: 'baseline_checked', job_id: job.id, evidence, skipped, ...asks });
}

const WAYS = [
  'Add a setup command: it installs what is missing, then the verify commands run again.',
  'Approve: the workers start, and no attempt passes before the commands can run.',
];

/** Asked before the first worker, because an attempt that cannot be verified would be paid for. Null if there is nothing to ask. */
async function missingQuestion(
  context: JobContext,
  job: JobRow,
  evidence: readonly Evidence[],
): Promise<NewApproval | null> {
  const missing = missingForAll(context.store.state, job.id, evidence);
  if (missing === null) return null;
  return question(job, await oneId(context, 'approvals'), {
    kind: 'stuck',
    about: { of: 'toolMissing' },
    question: 'No verify command can pass, because something is not installed. Start the work without it?',
    detail: [...WAYS, '', ...missing].join('\n'),
  });
}
