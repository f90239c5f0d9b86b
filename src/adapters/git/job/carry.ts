/** Applies the work that an attempt left to the work accepted since. */
import type { Carried, GitPort, JobTree } from '../../../engine/job/gitPorts.ts';
import { objectId } from '../names.ts';
import type { RunGit } from '../runGit.ts';
import { mergeTrees } from './baseMerge.ts';
import { commitTree, treeIdOf } from './change/tree.ts';
import { requireCommits } from './jobTree.ts';

const CHECKPOINT = 'Checkpoint';

/** See GitPort.carry. No ref, index or work tree changes. */
export async function carry(
  git: RunGit,
  tree: JobTree,
  { left, onto, base, message = CHECKPOINT }: Parameters<GitPort['carry']>[1],
): Promise<Carried> {
  const place = await requireCommits(tree);
  if (objectId(onto) === objectId(base)) return { commit: left, isSame: true };
  const merged = await mergeTrees(git, place, onto, left);
  if ('conflicts' in merged) {
    const content = { tree: merged.marked ?? (await treeIdOf(git, place, onto)), parents: [onto], message: CHECKPOINT };
    return { conflicts: merged.conflicts, marked: await commitTree(git, place, content) };
  }
  const isSame = merged.tree === (await treeIdOf(git, place, left));
  if (merged.tree === (await treeIdOf(git, place, onto))) return { commit: onto, isSame };
  return { commit: await commitTree(git, place, { tree: merged.tree, parents: [onto], message }), isSame };
}
