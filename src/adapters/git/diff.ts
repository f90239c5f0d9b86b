/** What changed between two commits of a job, for readers: programs never run, names quoted, length capped. */
import type { GitPort, JobTree } from '../../engine/ports.ts';
import { requireCommits } from './jobTree.ts';
import { objectId, splitZ } from './names.ts';
import { gitFailure, type RunGit } from './runGit.ts';

const DIFF_TREE = ['diff-tree', '-r', '--no-commit-id', '--no-color', '--no-ext-diff', '--no-textconv'] as const;
const MAX_STAT_LINES = 200;

/** At most `maxBytes` of UTF-8, whole lines. */
function cutLines(text: string, maxBytes: number): string {
  const head = Buffer.from(text, 'utf8').subarray(0, maxBytes).toString('utf8');
  return head.slice(0, head.lastIndexOf('\n') + 1);
}

export function createDiffOperations(git: RunGit): Pick<GitPort, 'diff' | 'diffStat' | 'changedPaths' | 'paths'> {
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
      if (!cut && Buffer.byteLength(stdout) <= maxBytes) return stdout;
      return `${cutLines(stdout, maxBytes)}[diff cut: it is longer than ${maxBytes} bytes]\n`;
    },
    async diffStat(tree, from, to) {
      const options = ['--stat=100,80', `--stat-count=${MAX_STAT_LINES}`, '--find-renames', '--summary'];
      const { stdout } = await diffTree(tree, from, to, options);
      return stdout;
    },
    async paths(tree, commit) {
      const args = ['ls-tree', '-r', '-z', '--full-tree', '--name-only', objectId(commit)];
      return splitZ(await git.ok(await requireCommits(tree), args));
    },
    async changedPaths(tree, from, to) {
      const { stdout } = await diffTree(tree, from, to, ['--name-only', '--no-renames', '-z']);
      return splitZ(stdout);
    },
  };
}
