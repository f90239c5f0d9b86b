/** Before any work: the clone, and the setup commands in it. */
import path from 'node:path';
import { need } from '../../core/rows.ts';
import { ensureTree } from '../checkpoints.ts';
import { failureFeedback, gatherEvidence } from '../commands.ts';
import { type JobContext, oneId, say } from '../context.ts';
import { question } from '../questions.ts';
import { approvedSetup } from '../setup.ts';
import { jobHead, jobTree, repositoryOf } from '../tree.ts';

/** `snapshot` is null while nobody has said what to do about a dirty tree. */
export async function makeClone(context: JobContext, snapshot: boolean | null): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const facts = await context.git.inspect(repositoryOf(job, context.projectDir));
  if (facts.dirty.length > 0 && snapshot === null) {
    const approval = question(job, await oneId(context, 'approvals'), {
      kind: 'dirty_tree',
      subject: 'dirty_tree',
      question: 'There is uncommitted work. Start from the last commit, or from a snapshot of the tree as it is?',
      detail: facts.dirty.join('\n'),
      choices: ['head', 'snapshot'],
    });
    await context.store.commit({ type: 'approval_requested', approval });
    return;
  }
  say(context, 'cloning the repository');
  const stamp = new Date(context.clock.now()).toISOString().replaceAll(/[:.]/g, '-');
  const clone_dir = path.join(job.job_dir, 'work', stamp);
  const tree = {
    projectDir: repositoryOf(job, context.projectDir),
    workTree: clone_dir,
    gitDir: path.join(job.job_dir, 'git'),
    branch: job.branch,
  };
  const made = await context.git.makeClone(tree, { snapshot: snapshot === true, signal: context.signal });
  context.memory.lastCheckpoint = made.head;
  await context.store.commit({
    type: 'clone_made',
    job_id: job.id,
    clone_dir,
    baseline: made.baseline,
    base_branch: facts.branch,
    snapshot: snapshot === true,
    head: made.head,
  });
}

/** Makes the clone again if its folder is gone. */
async function remakeClone(context: JobContext): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const remade = await context.git.remakeClone(jobTree(context.projectDir, job), {
    head: jobHead(job),
    baseline: job.baseline ?? jobHead(job),
    baseBranch: job.base_branch,
    snapshot: job.snapshot,
    signal: context.signal,
  });
  if (remade) context.memory.lastCheckpoint = jobHead(job);
}

/** Runs the setup commands that may run, in the clone. */
export async function runSetup(context: JobContext, skip: boolean): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  await remakeClone(context);
  const commands = skip ? [] : await approvedSetup(context, job.clone_dir ?? '');
  if (commands === 'asked') return;
  const evidence = await gatherEvidence(context, commands, {
    commit: jobHead(job),
    label: 'setup',
    network: 'registries',
  });
  if (context.signal.aborted) return;
  const wrong = failureFeedback(evidence);
  if (wrong !== null) {
    const approval = question(job, await oneId(context, 'approvals'), {
      kind: 'setup',
      subject: 'setup_failed',
      question: 'A setup command failed. Go on without it?',
      detail: wrong,
    });
    await context.store.commit({ type: 'approval_requested', approval });
    return;
  }
  await ensureTree(context, jobHead(job));
  await context.git.markIgnored(jobTree(context.projectDir, job));
  await context.store.commit({ type: 'setup_finished', job_id: job.id, evidence, head: jobHead(job) });
}
