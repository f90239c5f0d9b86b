/** Merges the user's current tip into the job's branch: computed in the private directory, then the clone follows. */
import type { BaseMergeResult, GitPort, JobTree } from '../../../engine/job/gitPorts.ts';
import { failure } from '../../../shared/errors.ts';
import { branchRef, isObjectId, jobBranchRef, objectId, splitZ } from '../names.ts';
import { type GitLocation, gitFailure, type RunGit } from '../runGit.ts';
import { listCommit } from '../user/filters.ts';
import { refuseForeignContent } from '../user/inspect.ts';
import type { UserRepository, UserSide } from '../user/sides.ts';
import { openUserRepository, tipOf } from '../user/userRepository.ts';
import { commitTree, restoreTree } from './change/tree.ts';
import { requireCommits } from './jobTree.ts';
import { fetchBase } from './transfer.ts';

/** The commit of a branch (null: HEAD) of the user's repository. Throws NOT_FOUND. */
export async function tipOfBase(git: RunGit, repository: UserRepository, baseBranch: string | null): Promise<string> {
  const tip = await tipOf(git, repository, baseBranch === null ? 'HEAD' : branchRef(baseBranch));
  if (tip !== null) return tip;
  throw failure('NOT_FOUND', `the branch ${baseBranch ?? 'HEAD'} does not exist any more`, {
    hint: 'Make it again, or take the result as a branch or a patch.',
  });
}

/** Also false if one of the commits is not known here. */
export async function isAncestor(git: RunGit, place: GitLocation, old: string, young: string): Promise<boolean> {
  const answer = await git.run(place, ['merge-base', '--is-ancestor', objectId(old), objectId(young)]);
  if (answer.code === 0) return true;
  if (answer.code === 1 || /Not a valid (?:commit|object) name|bad object/.test(answer.stderr)) return false;
  throw gitFailure(['merge-base'], answer);
}

/** `marked`: the tree with conflict markers. Null if the histories have no common commit. */
type TreeMerge = { readonly tree: string } | { readonly conflicts: readonly string[]; readonly marked: string | null };

/** Merges two commits into a tree; no index, no work tree, no drivers. */
export async function mergeTrees(git: RunGit, place: GitLocation, ours: string, theirs: string): Promise<TreeMerge> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', objectId(ours), objectId(theirs)];
  const answer = await git.run(place, args);
  const [tree = '', ...paths] = splitZ(answer.stdout);
  if (answer.code > 1 || answer.code < 0 || !isObjectId(tree)) {
    if (/unrelated histories/.test(answer.stderr)) return { conflicts: [], marked: null };
    throw gitFailure(args, answer);
  }
  if (answer.code === 0) return { tree };
  return { conflicts: [...new Set(paths.filter((path) => path !== ''))], marked: tree };
}

/** See GitPort.mergeBase. The clone becomes the merge; a conflict changes nothing. */
export async function mergeBase(
  user: UserSide,
  tree: JobTree,
  options: Parameters<GitPort['mergeBase']>[1],
): Promise<BaseMergeResult> {
  const { git } = user;
  const place = await requireCommits(tree);
  const head = objectId(options.head);
  const ref = jobBranchRef(tree.branch);
  const repository = await openUserRepository(user, tree.projectDir);
  const base = await tipOfBase(git, repository, options.baseBranch);
  await fetchBase(git, repository, tree, base, async (scratch) =>
    refuseForeignContent(await listCommit(git, scratch, base)),
  );
  if (await isAncestor(git, place, base, head)) return { outcome: 'clean', head, base };
  const merged = await mergeTrees(git, place, head, base);
  if ('conflicts' in merged) return { outcome: 'conflict', base, ours: head, paths: merged.conflicts };
  const commit = await commitTree(git, place, { tree: merged.tree, parents: [head, base], message: options.message });
  await git.ok(place, ['update-ref', ref, commit]);
  await restoreTree(git, tree, commit);
  return { outcome: 'clean', head: commit, base };
}
