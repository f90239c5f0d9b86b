/**
 * Formats the changes between two commits of a job for readers: programs never run, names are quoted, the length is
 * capped.
 */

import type { ListedFile } from '../../../../core/repository/repositoryFiles.ts';
import { cutDiff } from '../../../../core/text/diff/cutDiff.ts';
import type { GitPort, JobTree } from '../../../../engine/job/gitPorts.ts';
import type { ChangedFile } from '../../../../shared/rule/rules.ts';
import { objectId, splitZ, treeLine } from '../../names.ts';
import { gitFailure, type RunGit } from '../../runGit.ts';
import { requireCommits } from '../jobTree.ts';

const DIFF_TREE = ['diff-tree', '-r', '--no-commit-id', '--no-color', '--no-ext-diff', '--no-textconv'] as const;
const MAX_STAT_LINES = 200;

function listedFile(line: string): ListedFile {
  const { mode, bytes, path } = treeLine(line);
  return { path, bytes, isLink: mode === '120000' };
}

/** `raw`: a line with the modes, then the path. `counts`: added, removed and path, with dashes for a binary file. */
function changedFiles(raw: readonly string[], counts: readonly string[]): ChangedFile[] {
  const lines = new Map<string, number | null>();
  for (const line of counts) {
    const [, added = '', removed = '', path = ''] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(line) ?? [];
    lines.set(path, added === '-' || removed === '-' ? null : Number(added) + Number(removed));
  }
  const files: ChangedFile[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [, before = '', after = ''] = /^:(\d{6}) (\d{6}) /.exec(raw[at] ?? '') ?? [];
    const path = raw[at + 1] ?? '';
    files.push({ path, modes: [before, after], lines: lines.get(path) ?? null });
  }
  return files;
}

type Operations = 'diff' | 'diffStat' | 'changedPaths' | 'changedFiles' | 'listFiles';

export function createDiffOperations(git: RunGit): Pick<GitPort, Operations> {
  async function diffTree(
    tree: JobTree,
    from: string,
    to: string,
    options: readonly string[],
    { maxBytes, paths = [] }: { readonly maxBytes?: number; readonly paths?: readonly string[] } = {},
  ) {
    const place = await requireCommits(tree);
    const args = [...DIFF_TREE, ...options, objectId(from), objectId(to), '--', ...paths];
    const answer = await git.run(place, args, maxBytes === undefined ? {} : { maxBytes });
    if (answer.code !== 0 && !answer.cut) throw gitFailure(args, answer);
    return answer;
  }

  return {
    async diff(tree, from, to, maxBytes, paths = []) {
      const { stdout, cut } = await diffTree(tree, from, to, ['--patch', '--find-renames'], { maxBytes, paths });
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
    async changedFiles(tree, from, to) {
      const options = ['--no-renames', '-z'];
      const [raw, counts] = await Promise.all([
        diffTree(tree, from, to, ['--raw', ...options]),
        diffTree(tree, from, to, ['--numstat', ...options]),
      ]);
      return changedFiles(splitZ(raw.stdout), splitZ(counts.stdout));
    },
  };
}
