/**
 * Runs verify commands in a fresh checkout of a commit, with the setup repeated, and makes disposable checkouts for commands that may
 * change anything. What the worker's tree holds beside the commit, such as a changed program in an ignored folder, cannot make a verify
 * command pass there. A lane has one fresh checkout at a time.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { blockedCommand } from '../../../core/job/environmentFault.ts';
import { skipsSetup } from '../../../core/job/nextAction.ts';
import { besideTree, dependencyFolders, isDependencyInput } from '../../../core/job/result/freshCheck.ts';
import { hasPassed } from '../../../core/job/view/freshRun.ts';
import { need } from '../../../core/state/rows.ts';
import { failure, findFailure, messageOf } from '../../../shared/errors.ts';
import type { Evidence } from '../../../shared/job/evidence.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import { type JobContext, say } from '../context.ts';
import type { FreshFolder } from '../work/commands.ts';
import { gatherEvidence } from '../work/evidence.ts';
import { approvedSetup, wantedSetup } from './setup.ts';
import { treeOf } from './tree.ts';

/** Each lane has its own. */
const rootOf = ({ lane }: Pick<JobContext, 'lane'>, job: JobRow): string =>
  lane === 0 ? depsOf(job) : path.join(depsOf(job), 'lanes', String(lane + 1));
/** The kept dependencies are shared by all lanes. */
const depsOf = (job: JobRow): string => path.join(job.job_dir, 'fresh');
const folderIn = (root: string): FreshFolder => ({ tree: path.join(root, 'tree'), home: path.join(root, 'home') });

/**
 * Evidence of the commands at the commit. Null if the steward must answer a question about the setup first. Throws what keeps the
 * setup from running.
 */
export async function freshEvidence(
  context: JobContext,
  commands: readonly string[],
  about: { readonly commit: string; readonly label: string; readonly all?: boolean },
): Promise<readonly Evidence[] | null> {
  const { commit, all } = about;
  const { store, jobId, memory } = context;
  const known = memory.fresh;
  const same = known?.commit === commit && known.commands === commands.join('\n');
  if (same || commands.length === 0) return same ? known.evidence : [];
  const root = rootOf(context, need(store.state, 'jobs', jobId));
  await context.freshPlaces.empty(root);
  try {
    const failing = await prepared(context, root, about);
    if (failing === 'asked') return null;
    const run = {
      commit,
      label: `${about.label} in a fresh checkout`,
      network: 'none',
      fresh: folderIn(root),
      all,
    } as const;
    const evidence = failing === null ? await gatherEvidence(context, commands, run) : [failing];
    const inTree = [...store.state.attempts.values()].filter((row) => row.job_id === jobId);
    const result = besideTree(
      evidence,
      inTree.flatMap((row) => row.evidence),
    );
    // A failure is looked at again: its cause may be outside of the commit.
    if (result.every(hasPassed)) memory.fresh = { commit, commands: commands.join('\n'), evidence: result };
    return result;
  } finally {
    await context.freshPlaces.remove(root);
  }
}

/** Makes the checkout and its dependencies. Gives the setup command that failed because of the work, if there is one. */
async function prepared(
  context: JobContext,
  root: string,
  { commit, label }: { readonly commit: string; readonly label: string },
): Promise<Evidence | 'asked' | null> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const start = await startOf(context, job, commit);
  await checkout(context, job, root, start, false);
  const setup = await approvedSetup(context, folderIn(root).tree);
  if (setup === 'asked') return 'asked';
  if (setup.length > 0) {
    const failing = await installed(context, job, root, { start, setup, label });
    if (failing !== null || context.signal.aborted) return failing;
  }
  if (setup.length > 0 || start !== commit) await checkout(context, job, root, commit, true);
  return null;
}

/** The commit whose setup is run. Dependencies are kept only as the user's own commit installs them: scripts of the work could put anything into them. */
async function startOf(context: JobContext, job: JobRow, commit: string): Promise<string> {
  const baseline = job.baseline ?? commit;
  const tree = treeOf(context, job);
  const changed = baseline === commit ? [] : await context.git.changedPaths(tree, baseline, commit);
  return changed.some(isDependencyInput) ? commit : baseline;
}

interface DisposableTree {
  readonly folder: FreshFolder;
  /** Reason why the setup did not run in it, one sentence. Null if it ran, or if there is none. */
  readonly missing: string | null;
}

/**
 * Makes a checkout of the commit for commands that may do anything in it. Asks the steward nothing: a setup that may not run unasked is
 * left out. Call `removeDisposable` afterwards.
 */
export async function disposableTree(context: JobContext, commit: string): Promise<DisposableTree> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const root = rootOf(context, job);
  await context.freshPlaces.empty(root);
  const start = await startOf(context, job, commit);
  await checkout(context, job, root, start, false);
  const missing = await setUpUnasked(context, job, root, start);
  // The setup may have changed files of the commit.
  await checkout(context, job, root, commit, true);
  return { folder: folderIn(root), missing };
}

export async function removeDisposable(context: JobContext): Promise<void> {
  await context.freshPlaces.remove(rootOf(context, need(context.store.state, 'jobs', context.jobId)));
}

async function setUpUnasked(context: JobContext, job: JobRow, root: string, start: string): Promise<string | null> {
  const { commands: setup, asks } = await wantedSetup(context, folderIn(root).tree);
  const skips = skipsSetup(context.store.state, context.jobId);
  if (setup.length === 0) return skips ? 'the steward chose to go without its setup' : null;
  if (asks !== '') return 'the steward has not approved its setup';
  if (start === job.baseline && (await context.freshPlaces.restore(depsOf(job), keyOf(start, setup), root)))
    return null;
  if ((await context.commands.sandbox()).mode === 'unconfined') return 'its setup does not run without a sandbox';
  try {
    const failing = await installed(context, job, root, { start, setup, label: 'disposable copy' });
    return failing === null ? null : `its setup command \`${failing.command}\` failed`;
  } catch (thrown) {
    if (findFailure(thrown)?.code !== 'COMMAND_FAILED') throw thrown;
    return messageOf(thrown);
  }
}

const keyOf = (start: string, setup: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([start, setup, process.platform, process.arch]))
    .digest('hex');

async function installed(
  context: JobContext,
  job: JobRow,
  root: string,
  { start, setup, label }: { readonly start: string; readonly setup: readonly string[]; readonly label: string },
): Promise<Evidence | null> {
  const isBaseline = start === job.baseline;
  const key = keyOf(start, setup);
  if (isBaseline && (await context.freshPlaces.restore(depsOf(job), key, root))) return null;
  const about = { commit: start, label: `${label}: setup of a fresh checkout`, network: 'registries' } as const;
  const evidence = await gatherEvidence(context, setup, { ...about, fresh: folderIn(root) });
  const failing = evidence.find((one) => !hasPassed(one));
  if (failing !== undefined) {
    const lacking = blockedCommand(failing);
    if (lacking === null || context.signal.aborted) return failing;
    throw failure(
      'COMMAND_FAILED',
      `the setup command \`${failing.command}\` failed in a fresh checkout: ${lacking.line}`,
      {
        hint: 'Make the host, tool or service available, then approve.',
      },
    );
  }
  if (isBaseline) await keep(context, job, root, key);
  return null;
}

/** Copies the dependencies that the setup of the baseline installed into the lane's tree. False if they are not kept. */
export async function restoreDependencies(
  context: JobContext,
  job: JobRow,
  setup: readonly string[],
): Promise<boolean> {
  if (job.baseline === null) return false;
  const { workTree } = treeOf(context, job);
  return context.freshPlaces.restoreInto(depsOf(job), keyOf(job.baseline, setup), workTree);
}

/** Without the copy the next fresh checkout takes longer, so a failure is only shown. */
async function keep(context: JobContext, job: JobRow, root: string, key: string): Promise<void> {
  try {
    const made = await context.git.freshlyMade(treeOf(context, job), folderIn(root).tree);
    const folders = dependencyFolders(made);
    if (folders !== null) await context.freshPlaces.keep(root, key, folders, depsOf(job));
  } catch (thrown) {
    say(context, `the dependencies of the fresh checkout could not be kept: ${messageOf(thrown)}`);
  }
}

async function checkout(
  context: JobContext,
  job: JobRow,
  root: string,
  commit: string,
  keepIgnored: boolean,
): Promise<void> {
  await context.git.freshCheckout(treeOf(context, job), {
    folder: folderIn(root).tree,
    commit,
    keepIgnored,
    baseline: job.baseline ?? commit,
    baseBranch: job.base_branch,
    snapshot: job.snapshot,
    signal: context.signal,
  });
}
