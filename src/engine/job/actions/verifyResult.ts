/** Verifies the result of a job in a fresh checkout before it is merged. */
import { failureHistory } from '../../../core/job/result/baseMerges.ts';
import { hasPassed } from '../../../core/job/view/freshRun.ts';
import { ignoredText } from '../../../core/repository/ignoredChanges.ts';
import { jobPhases, need } from '../../../core/state/rows.ts';
import type { Evidence, ResultChecks } from '../../../shared/job/evidence.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import { question } from '../../approval/questions.ts';
import { type JobContext, oneId } from '../context.ts';
import { foldFixes } from '../result/foldFixes.ts';
import { ensureTree, followHead } from '../tree/checkpoints.ts';
import { freshEvidence } from '../tree/freshTree.ts';
import { jobHead, jobTree } from '../tree/tree.ts';
import { askToRun, failureFeedback } from '../work/evidence.ts';
import { closeConversation } from './attempt.ts';

/** Runs every verify command of the plan in a fresh checkout of the commit for the merge, unless it passed in one already. */
export async function verifyResult(context: JobContext, head: string): Promise<void> {
  await closeConversation(context);
  const { state } = context.store;
  const job = need(state, 'jobs', context.jobId);
  await ensureTree(context, head);
  const known = [...state.attempts.values()]
    .filter((row) => row.job_id === job.id && row.status === 'succeeded')
    .flatMap((row) => row.evidence.filter((one) => one.fresh !== undefined && one.commit === head && hasPassed(one)));
  const commands = new Set(jobPhases(state, job.id).flatMap((phase) => phase.verify_commands));
  const left = [...commands].filter((command) => !known.some((one) => one.command === command));
  const evidence = await freshEvidence(context, left, { commit: head, label: 'verify the result' });
  if (context.signal.aborted || evidence === null) return;
  if (await askToRun(context, evidence, null)) return;
  const wrong = failureFeedback(evidence);
  const again = evidence.find((one) => !hasPassed(one) && job.result_failed.includes(one.command));
  const base = await onBaseAlone(context, job, evidence);
  if (context.signal.aborted) return;
  const before = new Map(known.filter(({ command }) => commands.has(command)).map((one) => [one.command, one]));
  const checks = { commit: head, base, evidence: [...before.values(), ...evidence] };
  if (again !== undefined && wrong !== null) return askToAccept(context, job, checks, again.command, wrong);
  const ignored = wrong === null ? '' : ignoredText(await context.git.ignoredChanges(jobTree(context.projectDir, job)));
  const failing = evidence.find((one) => !hasPassed(one));
  const history = failing === undefined ? '' : await historyOf(context, job, failing.command, base);
  const feedback = wrong === null ? null : [history, wrong, ignored].filter((part) => part !== '').join('\n\n');
  const fix_feature_id = feedback === null ? null : await oneId(context, 'features');
  await context.store.commit({
    type: 'result_verified',
    job_id: job.id,
    ...checks,
    feedback,
    fix_feature_id,
    ...(failing === undefined ? {} : { fix_title: `${failing.command} fails on the result` }),
    folded: feedback === null ? await foldFixes(context, head) : null,
  });
  await followHead(context);
}

/** Runs the failed commands on the moved base alone, so that its failures are not taken for ones of the work. */
async function onBaseAlone(
  context: JobContext,
  job: JobRow,
  evidence: readonly Evidence[],
): Promise<readonly Evidence[]> {
  const commit = job.base_merges.at(-1)?.base;
  const failed = evidence.filter((one) => !hasPassed(one)).map(({ command }) => command);
  if (commit === undefined || failed.length === 0) return [];
  const known = (job.result_checks?.base ?? []).filter((one) => one.commit === commit && failed.includes(one.command));
  const left = failed.filter((command) => !known.some((one) => one.command === command));
  // Without a sandbox each run would need an approval.
  if ((await context.commands.sandbox()).mode === 'unconfined') return known;
  const ran = await freshEvidence(context, left, { commit, label: 'verify the base alone', all: true });
  return [...known, ...(ran ?? []).filter((one) => left.includes(one.command))];
}

/** States too why it is not known how the command ends on the moved base alone. */
async function historyOf(
  context: JobContext,
  job: JobRow,
  command: string,
  base: readonly Evidence[],
): Promise<string> {
  const history = failureHistory(job, command, base);
  if (job.base_merges.length === 0 || base.some((one) => one.command === command)) return history;
  if ((await context.commands.sandbox()).mode !== 'unconfined') return history;
  const alone = `\`${command}\` did not run on ${job.base_branch ?? 'the base'} alone, because without a sandbox each run needs a separate permission. It may fail there too.`;
  return [history, alone].filter((part) => part !== '').join('\n');
}

/** The question after the same command failed again after a fix: the steward decides whether to retry or to accept the result. */
async function askToAccept(
  context: JobContext,
  job: JobRow,
  checks: ResultChecks,
  command: string,
  wrong: string,
): Promise<void> {
  const history = await historyOf(context, job, command, checks.base);
  const ways = [
    'Approve, with your reason: the result counts as verified although the command fails. This is recorded.',
    'Reject: the last phase is repeated with your feedback.',
    'Add a setup command if dependencies are missing: then the commands run again.',
  ];
  const approval = question(job, await oneId(context, 'approvals'), {
    kind: 'escalate',
    about: { of: 'accept', commit: jobHead(job) },
    question: `\`${command}\` fails again in a fresh checkout of the result. Take the result although it fails?`,
    detail: [history, ways.join('\n'), wrong].filter((part) => part !== '').join('\n\n'),
    commit: job.head,
  });
  await context.store.commit({ type: 'approval_requested', approval, checks });
}
