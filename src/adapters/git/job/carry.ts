/** Applies the work that an attempt left to the work accepted since. */
import type { Carried, GitPort, JobTree } from '../../../engine/job/gitPorts.ts';
import { objectId } from '../names.ts';
import type { RunGit } from '../runGit.ts';
import { mergeTrees } from './baseMerge.ts';
import { commitTree, treeIdOf } from './change/tree.ts';
import { requireCommits } from './jobTree.ts';

/** See GitPort.carry. No ref, index or work tree changes. */
export async function carry(
  git: RunGit,
  tree: JobTree,
  { left, onto, base }: Parameters<GitPort['carry']>[1],
): Promise<Carried> {
  const place = await requireCommits(tree);
  if (objectId(onto) === objectId(base)) return { commit: left };
  const merged = await mergeTrees(git, place, onto, left);
  if ('conflicts' in merged) return merged;
  if (merged.tree === (await treeIdOf(git, place, onto))) return { commit: onto };
  return { commit: await commitTree(git, place, { tree: merged.tree, parents: [onto], message: 'Checkpoint' }) };
}
