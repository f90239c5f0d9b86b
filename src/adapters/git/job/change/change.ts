/** What differs between two commits of a job as bytes that make the one of the other, wherever the rest of the repository lies. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitPort, JobTree } from '../../../../engine/job/gitPorts.ts';
import { objectId } from '../../names.ts';
import type { RunGit } from '../../runGit.ts';
import { requireCommits } from '../jobTree.ts';
import { treeIdOf } from './tree.ts';

/** Complete: renames as what they are made of, whole object names, binary files as they are. */
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

export function createChangeOperations(git: RunGit): Pick<GitPort, 'change' | 'origin'> {
  return {
    async change(tree, from, to) {
      const place = await requireCommits(tree);
      if (from === to) return { tree: await treeIdOf(git, place, to), patch: NOTHING };
      // Through a file: the bytes of a text that is no UTF-8 would not come through a stream that is read as text.
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
