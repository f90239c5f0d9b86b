/** Ends a job: puts the approved commit where the user wants it, or reports why that is impossible. */
import path from 'node:path';
import type { About } from '../../../core/approval/about.ts';
import { executablePaths, type FileTexts } from '../../../core/guard/executablePaths.ts';
import { takenFailure, takenText } from '../../../core/job/gate/acceptResult.ts';
import { mergeGateText } from '../../../core/job/gate/mergeGate.ts';
import { failureHistory } from '../../../core/job/result/baseMerges.ts';
import { titled } from '../../../core/job/result/fixTitle.ts';
import { hasPassed } from '../../../core/job/view/freshRun.ts';
import { embeddedIn, mayEmbedRepository } from '../../../core/repository/embeddedRepositories.ts';
import { ignoredText } from '../../../core/repository/ignoredChanges.ts';
import { jobPhases, need } from '../../../core/state/rows.ts';
import type { Evidence, ResultChecks } from '../../../shared/job/evidence.ts';
import type { JobRow, MergeMode } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { question } from '../../approval/questions.ts';
import { type JobContext, oneId, say } from '../context.ts';
import type { MergeRequest } from '../gitPorts.ts';
import { foldFixes } from '../result/foldFixes.ts';
import { onBase } from '../result/reviewDiffs.ts';
import { ensureTree, followHead } from '../tree/checkpoints.ts';
import { freshEvidence } from '../tree/freshTree.ts';
import { authorOf, jobHead, jobTree } from '../tree/tree.ts';
import { askToRun, failureFeedback } from '../work/commands.ts';
import { closeConversation } from './attempt.ts';

const MAX_MANIFEST_BYTES = 1024 * 1024;
/** Lines on what git runs; the paths themselves are all listed. */
const MAX_REASONS = 20;
/** Commits of a moved base that are named. */
const MAX_SUBJECTS = 5;

export function mergeRequest(
  context: Pick<JobContext, 'projectDir'> & { readonly store: Pick<JobContext['store'], 'state'> },
  job: JobRow,
  mode: MergeMode,
  commit: string,
): MergeRequest {
  return {
    tree: jobTree(context.projectDir, job),
    mode,
    commit,
    baseBranch: job.base_branch,
    patchFile: path.join(job.job_dir, `${job.id}.patch`),
    message: mergeMessage(context.store.state, job),
    patchNote: patchNote(context.store.state, job),
    author: authorOf(job),
  };
}

/** The commit message of a failing result that was merged anyway states the failure. */
function mergeMessage(state: State, job: JobRow): string {
  const taken = takenFailure(state, job);
  const failing = taken === null ? [] : [takenText(taken)];
  return `${[`Merge ${job.branch}: ${job.title}`, ...failing, `Autonomous-Job: ${job.id}`].join('\n\n')}\n`;
}

/**
 * The same for a patch. `git apply` skips such lines. A result branch cannot have it: its last commit is the one that was verified and
 * approved, and another message would make another commit.
 */
function patchNote(state: State, job: JobRow): string {
  const taken = takenFailure(state, job);
  return taken === null ? '' : `# ${takenText(taken).replaceAll(/\s+/g, ' ')}\n`;
}

export async function mergeJob(context: JobContext, mode: MergeMode, head: string): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const request = mergeRequest(context, job, mode, head);
  // A crash in the middle of a merge: the refs are the truth, the event follows them.
  const done = await context.git.findMerge(request);
  if (done !== null) {
    await context.store.commit({ type: 'job_completed', job_id: job.id, merge: done });
    return;
  }
  if (context.signal.aborted) return;
  // The merge was already started if an owner was killed at this point.
  if (!job.merging) await context.store.commit({ type: 'merge_begun', job_id: job.id, commit: head, mode });
  say(context, mode === 'patch' ? 'writing the patch' : `merging into ${job.base_branch ?? job.branch}`);
  const result = await context.git.integrate(request);
  switch (result.outcome) {
    case 'done':
      await context.store.commit({ type: 'job_completed', job_id: job.id, merge: result.merge });
      return;
    case 'moved':
      return takeInBase(context, job);
    case 'refused': {
      await context.store.commit({ type: 'merge_ended', job_id: job.id, reason: result.reason });
      const about: About = { of: 'mergeRefused', head, id: await oneId(context, 'approvals') };
      return askConflict(context, job, `The merge was refused: ${result.reason}`, '', about);
    }
  }
}

/** The base moved: it is merged in the clone, never in the user's tree; the new head is verified before anything else. */
async function takeInBase(context: JobContext, job: JobRow): Promise<void> {
  say(context, 'the base branch moved: merging it in the clone');
  const tree = jobTree(context.projectDir, job);
  await ensureTree(context, jobHead(job));
  const message = `Merge ${job.base_branch ?? 'the base'} into ${job.branch}\n\nAutonomous-Job: ${job.id}\n`;
  const merged = await context.git.mergeBase(tree, { head: jobHead(job), baseBranch: job.base_branch, message });
  context.memory.lastCheckpoint = null;
  if (merged.outcome === 'clean') {
    const { base, head } = merged;
    const started = jobPhases(context.store.state, job.id).flatMap(({ id, base_commit }) =>
      base_commit === null ? [] : [{ phase_id: id, base_commit }],
    );
    const phases = await Promise.all(
      started.map(async ({ phase_id, base_commit }) => ({
        phase_id,
        base_commit: await onBase(context.git, tree, base, base_commit),
      })),
    );
    const gained = await context.git.gainedCommits(tree, { from: job.baseline ?? base, to: base, max: MAX_SUBJECTS });
    await context.store.commit({ type: 'base_merged', job_id: job.id, baseline: base, head, gained, phases });
    return;
  }
  const both = `Ours: ${job.branch} at ${merged.ours}\nTheirs: ${job.base_branch ?? 'HEAD'} at ${merged.base}\nConflicting paths:\n${merged.paths.join('\n')}`;
  await context.store.commit({ type: 'merge_ended', job_id: job.id, reason: 'conflict' });
  const about: About = { of: 'conflict', base: merged.base, ours: merged.ours };
  return askConflict(context, job, 'The base branch changed the same places. How should this end?', both, about);
}

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

/** Describes the effect of each choice. A conflict often needs an action outside the engine. */
function waysOut({ branch, base_branch }: JobRow, about: About): string {
  const base = base_branch ?? 'the base branch';
  const retry =
    about.of === 'conflict'
      ? `merges again, and meets the same conflict while these places of ${base} stay as they are`
      : 'merges again; fix the conflict first';
  return [
    `retry: ${retry}.`,
    `branch: the result becomes the branch ${branch} of your repository, to merge by hand.`,
    'patch: the result becomes a patch file, to apply by hand.',
  ].join('\n');
}

async function askConflict(
  context: JobContext,
  job: JobRow,
  asks: string,
  detail: string,
  about: About,
): Promise<void> {
  const approval = question(job, await oneId(context, 'approvals'), {
    kind: 'conflict',
    about,
    question: asks,
    detail: [detail, waysOut(job, about)].filter((part) => part !== '').join('\n'),
    commit: job.head,
    choices: ['retry', 'branch', 'patch'],
  });
  await context.store.commit({ type: 'approval_requested', approval });
}

export async function refuseMerge(context: JobContext, feedback: string): Promise<void> {
  const fix_feature_id = await oneId(context, 'features');
  await context.store.commit({
    type: 'merge_refused',
    job_id: context.jobId,
    feedback,
    fix_feature_id,
    ...titled(feedback),
  });
}

interface ExecutedByGit {
  readonly paths: readonly string[];
  /** Why, one line each. */
  readonly reasons: readonly string[];
}

/** The changed paths that git runs when the user enters a folder: in an embedded repository, or named by the user's git settings. */
async function executedByGit(context: JobContext, job: JobRow, changed: readonly string[]): Promise<ExecutedByGit> {
  const tree = jobTree(context.projectDir, job);
  const all = mayEmbedRepository(changed)
    ? (await context.git.listFiles(tree, jobHead(job))).map(({ path }) => path)
    : [];
  const embedded = embeddedIn(changed, all);
  const places = await context.git.executedPlaces(tree.projectDir);
  const named = changed.flatMap((each) => {
    const place = places.find((one) => one.path === each || (one.isFolder && each.startsWith(`${one.path}/`)));
    return place === undefined ? [] : [{ path: each, setting: place.setting }];
  });
  return {
    paths: [...embedded.paths, ...named.map((one) => one.path)],
    reasons: [
      ...embedded.folders.map(
        (folder) =>
          `Embedded git repository ${JSON.stringify(`${folder}/`)}: git runs what its configuration and hooks name when you enter it.`,
      ),
      ...named.map((one) => `Your git settings run or read ${JSON.stringify(one.path)} (${one.setting}).`),
    ],
  };
}

/** The question at the merge gate: it shows the change, and first the files that would execute on the user's machine. */
export async function mergeQuestion(
  context: JobContext,
  job: JobRow,
): Promise<{ detail: string; executables: readonly string[] }> {
  const tree = jobTree(context.projectDir, job);
  const from = job.baseline ?? jobHead(job);
  const paths = await context.git.changedPaths(tree, from, jobHead(job));
  const texts = new Map<string, FileTexts>();
  for (const file of paths.filter((one) => path.posix.basename(one) === 'package.json')) {
    const [before, after] = [
      await context.git.textAt(tree, from, file, MAX_MANIFEST_BYTES),
      await context.git.textAt(tree, jobHead(job), file, MAX_MANIFEST_BYTES),
    ];
    texts.set(file, { before, after });
  }
  const byGit = await executedByGit(context, job, paths);
  const flagged = new Set([
    ...executablePaths(paths, (file) => texts.get(file)).map((one) => one.path),
    ...byGit.paths,
  ]);
  const executables = paths.filter((each) => flagged.has(each));
  const stat = await context.git.diffStat(tree, from, jobHead(job));
  const ignored = ignoredText(await context.git.ignoredChanges(tree));
  const facts = { stat, reasons: byGit.reasons.slice(0, MAX_REASONS), ignored };
  const detail = mergeGateText(context.store.state, job, facts);
  return { detail, executables };
}
