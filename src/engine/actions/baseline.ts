/** The verify commands before any work, in a fresh checkout of the commit that the job starts from. */
import { need } from '../../core/rows.ts';
import type { JobContext } from '../context.ts';
import { freshEvidence } from '../freshTree.ts';
import { jobHead } from '../tree.ts';

const NO_SANDBOX = 'there is no sandbox, so each run would be a question to you';

export async function checkBaseline(context: JobContext, commands: readonly string[]): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const skipped = (await context.commands.sandbox()).mode === 'unconfined' ? NO_SANDBOX : null;
  const about = { commit: job.baseline ?? jobHead(job), label: 'before any work', all: true };
  const evidence = skipped === null ? await freshEvidence(context, commands, about) : [];
  if (context.signal.aborted || evidence === null) return;
  await context.store.commit({ type: 'baseline_checked', job_id: job.id, evidence, skipped });
}
