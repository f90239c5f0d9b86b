/** Before any work: the clone, and the setup commands in it. */
import path from 'node:path';
import { approvalOn } from '../../../core/approval/about.ts';
import { questionAboutTree } from '../../../core/job/gate/treeQuestion.ts';
import { skipsSetup } from '../../../core/job/nextAction.ts';
import { ranSetup } from '../../../core/job/plan/planSetup.ts';
import { hasPassed } from '../../../core/job/view/freshRun.ts';
import { need } from '../../../core/state/rows.ts';
import type { JobRow, SetupRemoved } from '../../../shared/job/rows.ts';
import { question } from '../../approval/questions.ts';
import { type JobContext, oneId, say } from '../context.ts';
import { lookAtMachine } from '../machine.ts';
import { ensureTree } from '../tree/checkpoints.ts';
import { approvedSetup } from '../tree/setup.ts';
import { authorOf, cloneState, jobHead, jobTree, laneHead, repositoryOf } from '../tree/tree.ts';
import { failureFeedback, gatherEvidence } from '../work/evidence.ts';

/** `snapshot` is null until the steward has decided about a dirty tree. */
export async function makeClone(context: JobContext, snapshot: boolean | null): Promise<void> {
  const { state } = context.store;
  const job = need(state, 'jobs', context.jobId);
  const facts = await context.git.inspect(repositoryOf(job, context.projectDir));
  const asked = questionAboutTree(job, facts, (about) => approvalOn(state, job.id, about)?.status === 'approved');
  if (asked !== null) {
    const approval = question(job, await oneId(context, 'approvals'), asked);
    await context.store.commit({ type: 'approval_requested', approval });
    return;
  }
  if (snapshot !== true && facts.untracked.length > 0) say(context, untrackedText(facts.untracked));
  say(context, 'cloning the repository');
  const stamp = new Date(context.clock.now()).toISOString().replaceAll(/[:.]/g, '-');
  const clone_dir = path.join(job.job_dir, 'work', stamp);
  const tree = {
    projectDir: repositoryOf(job, context.projectDir),
    workTree: clone_dir,
    gitDir: path.join(job.job_dir, 'git'),
    branch: job.branch,
  };
  const made = await context.git.makeClone(tree, {
    snapshot: snapshot === true,
    author: authorOf(job),
    signal: context.signal,
  });
  context.memory.lastCheckpoint = made.head;
  const machine = await lookAtMachine(context, clone_dir);
  if (context.signal.aborted) return;
  await context.store.commit({
    type: 'clone_made',
    job_id: job.id,
    clone_dir,
    baseline: made.baseline,
    base_branch: facts.branch,
    snapshot: snapshot === true,
    head: made.head,
    machine,
  });
}

/** Restores the clone if its folder is missing. */
async function remakeClone(context: JobContext): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const head = laneHead(context, job);
  const remade = await context.git.remakeClone(jobTree(context.projectDir, job), cloneState(job, context.signal, head));
  if (remade) Object.assign(context.memory, { lastCheckpoint: head, touched: null, followed: null });
}

async function askWithoutSetup(context: JobContext, job: JobRow, command: string, detail: string): Promise<void> {
  const added = job.setup_added.includes(command);
  const approval = question(job, await oneId(context, 'approvals'), {
    kind: 'setup',
    about: { of: 'failedSetup', added: added ? command : null },
    question: added
      ? `The setup command \`${command}\` failed. Remove it and continue?`
      : 'A setup command failed. Continue without it?',
    detail,
  });
  await context.store.commit({ type: 'approval_requested', approval });
}

const SHOWN_UNTRACKED = 3;

function untrackedText(paths: readonly string[]): string {
  const shown = paths.slice(0, SHOWN_UNTRACKED).join(', ');
  const more = paths.length > SHOWN_UNTRACKED ? `, and ${paths.length - SHOWN_UNTRACKED} more` : '';
  return `starting from the last commit, without untracked files: ${shown}${more}`;
}

const SHOWN_REMOVED = 20;

function removedOf(made: readonly string[]): { readonly removed?: SetupRemoved } {
  if (made.length === 0) return {};
  return { removed: { paths: made.slice(0, SHOWN_REMOVED), more: Math.max(0, made.length - SHOWN_REMOVED) } };
}

/** Runs the setup commands that may run and did not run yet, in the clone. */
export async function runSetup(context: JobContext): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  await remakeClone(context);
  const wanted = await approvedSetup(context, job.clone_dir ?? '');
  if (wanted === 'asked') return;
  const ran = ranSetup(job);
  const commands = wanted.filter((command) => !ran.includes(command));
  const evidence = await gatherEvidence(context, commands, {
    commit: jobHead(job),
    label: 'setup',
    network: 'registries',
  });
  if (context.signal.aborted) return;
  const failed = evidence.find((one) => !hasPassed(one));
  if (failed !== undefined) return askWithoutSetup(context, job, failed.command, failureFeedback(evidence) ?? '');
  const made = evidence.length === 0 ? [] : await context.git.unignored(jobTree(context.projectDir, job));
  await ensureTree(context, laneHead(context, job));
  await context.git.markIgnored(jobTree(context.projectDir, job));
  const isDetected = job.options.setup === null && wanted.length === 0 && !skipsSetup(context.store.state, job.id);
  const gap = isDetected ? await context.setupGap(job.clone_dir ?? '') : null;
  const finished = { type: 'setup_finished', job_id: job.id, evidence, head: jobHead(job) } as const;
  await context.store.commit({ ...finished, ...(gap === null ? {} : { gap }), ...removedOf(made) });
}
