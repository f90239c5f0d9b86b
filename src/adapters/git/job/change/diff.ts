/**
 * Formats the changes between two commits of a job for readers: programs never run, names are quoted, the length is
 * capped.
 */

import type { ListedFile } from '../../../../core/repository/repositoryFiles.ts';
import { cutDiff } from '../../../../core/text/diff/cutDiff.ts';
import type { GitPort, JobTree } from '../../../../engine/job/gitPorts.ts';
import { objectId, splitZ, treeLine } from '../../names.ts';
import { gitFailure, type RunGit } from '../../runGit.ts';
import { requireCommits } from '../jobTree.ts';

const DIFF_TREE = ['diff-tree', '-r', '--no-commit-id', '--no-color', '--no-ext-diff', '--no-textconv'] as const;
const MAX_STAT_LINES = 200;

function listedFile(line: string): ListedFile {
  const { mode, bytes, path } = treeLine(line);
  return { path, bytes, isLink: mode === '120000' };
}

export function createDiffOperations(git: RunGit): Pick<GitPort, 'diff' | 'diffStat' | 'changedPaths' | 'listFiles'> {
  async function diffTree(tree: JobTree, from: string, to: string, options: readonly string[], maxBytes?: number) {
    const place = await requireCommits(tree);
    const args = [...DIFF_TREE, ...options, objectId(from), objectId(to), '--'];
    const answer = await git.run(place, args, maxBytes === undefined ? {} : { maxBytes });
    if (answer.code !== 0 && !answer.cut) throw gitFailure(args, answer);
    return answer;
  }

  return {
    async diff(tree, from, to, maxBytes) {
      const { stdout, cut } = await diffTree(tree, from, to, ['--patch', '--find-renames'], maxBytes);
      return cutDiff(stdout, maxBytes, cut);
    },
    async diffStat(tree, from, to) {
      const options = ['--stat=100,80', `--stat-count=${MAX_STAT_LINES}`, '--find-renames', '--compact-summary'];
      const { stdout } = await diffTree(tree, from, to, options);
      return stdout;
    },
    async listFiles(tree, commit) {
      const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', objectId(commit)];
      return splitZ(await git.ok(await requireCommits(tree), args)).map(listedFile);
    },
    async changedPaths(tree, from, to) {
      const { stdout } = await diffTree(tree, from, to, ['--name-only', '--no-renames', '-z']);
      return splitZ(stdout);
    },
  };
}
