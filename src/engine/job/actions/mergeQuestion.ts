/** Composes the question of the merge gate. */
import path from 'node:path';
import { executablePaths, type FileTexts } from '../../../core/guard/executablePaths.ts';
import { mayBeWithin } from '../../../core/guard/foldedPath.ts';
import { mergeFacts } from '../../../core/job/gate/gateFacts.ts';
import { mergeGateText } from '../../../core/job/gate/mergeGate.ts';
import { embeddedIn, mayEmbedRepository } from '../../../core/repository/embeddedRepositories.ts';
import { ignoredText } from '../../../core/repository/ignoredChanges.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { ChangedFile, GateFacts } from '../../../shared/rule/rules.ts';
import type { JobContext } from '../context.ts';
import { jobHead, jobTree } from '../tree/tree.ts';

const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Lines on what git runs; the paths themselves are all listed. */
const MAX_REASONS = 20;

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
    const place = places.find((one) => mayBeWithin(each, one.path) && (one.isFolder || mayBeWithin(one.path, each)));
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

interface MeasuredChange {
  readonly files: readonly ChangedFile[];
  /** Paths that would execute on the user's machine, in the order of the change. */
  readonly flagged: readonly string[];
  /** Why git would run some of them, one line each. */
  readonly reasons: readonly string[];
}

/** The change since `from`, and the files that would execute on the user's machine. */
export async function measuredChange(context: JobContext, job: JobRow, from: string): Promise<MeasuredChange> {
  const tree = jobTree(context.projectDir, job);
  const files = await context.git.changedFiles(tree, from, jobHead(job));
  const paths = files.map((file) => file.path);
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
  return { files, flagged: paths.filter((each) => flagged.has(each)), reasons: byGit.reasons };
}

/** The question at the merge gate: it shows the change, and first the files that would execute on the user's machine. */
export async function mergeQuestion(
  context: JobContext,
  job: JobRow,
): Promise<{ detail: string; executables: readonly string[]; facts: GateFacts }> {
  const tree = jobTree(context.projectDir, job);
  const from = job.baseline ?? jobHead(job);
  const change = await measuredChange(context, job, from);
  const stat = await context.git.diffStat(tree, from, jobHead(job));
  const ignored = ignoredText(await context.git.ignoredChanges(tree));
  const shown = { stat, reasons: change.reasons.slice(0, MAX_REASONS), ignored };
  const detail = mergeGateText(context.store.state, job, shown);
  return { detail, executables: change.flagged, facts: mergeFacts(context.store.state, job, change) };
}
