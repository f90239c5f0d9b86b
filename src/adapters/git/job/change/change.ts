/**
 * Encodes the difference between two commits of a job as bytes that turn the first into the second, independent of the
 * rest of the repository.
 */
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitPort, JobTree } from '../../../../engine/job/gitPorts.ts';
import { rm } from '../../../platform/heldFiles.ts';
import { objectId } from '../../names.ts';
import type { RunGit } from '../../runGit.ts';
import { requireCommits } from '../jobTree.ts';
import { treeIdOf } from './tree.ts';

/** A complete patch: renames as deletions and additions, full object names, binary files included. */
export const WHOLE_PATCH = [
  '--patch',
  '--binary',
  '--full-index',
  '--no-renames',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
] as const;

const NOTHING = new Uint8Array();

export function createChangeOperations(git: RunGit): Pick<GitPort, 'change' | 'origin' | 'treeId'> {
  return {
    treeId: async (tree, commit) => treeIdOf(git, await requireCommits(tree), objectId(commit)),
    async change(tree, from, to) {
      const place = await requireCommits(tree);
      if (from === to) return { tree: await treeIdOf(git, place, to), patch: NOTHING };
      // Through a file: a stream that is read as text would corrupt the bytes of a text that is not UTF-8.
      const folder = await mkdtemp(join(tree.gitDir, 'change-'));
      try {
        const file = join(folder, 'patch');
        const args = ['diff-tree', '-r', ...WHOLE_PATCH, `--output=${file}`, objectId(from), objectId(to), '--'];
        const [id] = await Promise.all([treeIdOf(git, place, to), git.ok(place, args)]);
        return { tree: id, patch: await readFile(file) };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    origin: (tree, baseline, snapshot) => originOf(git, tree, baseline, snapshot),
  };
}

/** See GitPort.origin. */
export async function originOf(git: RunGit, tree: JobTree, baseline: string, snapshot: boolean): Promise<string> {
  if (!snapshot) return objectId(baseline);
  const parent = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${objectId(baseline)}^`];
  const answer = await git.run(await requireCommits(tree), parent);
  return answer.code === 0 ? answer.stdout.trim() : baseline;
}
