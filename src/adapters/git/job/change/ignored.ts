/** Lists files of a clone that git ignores: after the setup, in the private git directory, and the changes since then. */
import { lstatSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type IgnoredFile, ignoredChanges } from '../../../../core/repository/ignoredChanges.ts';
import { isFields, parseJson } from '../../../../core/text/json.ts';
import type { GitPort, JobTree } from '../../../../engine/job/gitPorts.ts';
import { failure } from '../../../../shared/errors.ts';
import { rename, rm } from '../../../platform/heldFiles.ts';
import { readIfThere } from '../../gitDirectory.ts';
import { diskPath, exactText, splitZ } from '../../names.ts';
import type { RunGit } from '../../runGit.ts';
import { ownFile, requireClone } from '../jobTree.ts';
import { PATIENCE_MS } from './stage.ts';

const UNIGNORED = [
  'ls-files',
  '-z',
  '--others',
  '--modified',
  '--exclude-standard',
  '--directory',
  '--no-empty-directory',
];
const LIST = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard'];
/** A longer listing is cut: a comparison must not take minutes. */
const MAX_FILES = 200_000;

const fileOf = (tree: JobTree): string => ownFile(tree, 'ignored.json');

/** Null if the files could not be listed, or are too many. */
async function listed(git: RunGit, tree: JobTree): Promise<IgnoredFile[] | null> {
  const answer = await git.run(await requireClone(tree), LIST, { patienceMs: PATIENCE_MS, bytes: true });
  const paths = answer.code === 0 ? splitZ(answer.stdout) : null;
  if (paths === null || paths.length > MAX_FILES) return null;
  return paths.map((path) => ({ path: exactText(path), stamp: stampOf(diskPath(tree.workTree, path)) }));
}

function stampOf(path: Buffer): string {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? 'gone' : `${stat.size}:${stat.ctimeNs}`;
  } catch {
    // Behind a folder that was closed after the listing.
    return 'unreadable';
  }
}

async function recorded(tree: JobTree): Promise<IgnoredFile[] | null> {
  const value = parseJson((await readIfThere(fileOf(tree))) ?? '');
  if (!isFields(value)) return null;
  return Object.entries(value).map(([path, stamp]) => ({ path, stamp: String(stamp) }));
}

export function createIgnoredOperations(git: RunGit): Pick<GitPort, 'markIgnored' | 'ignoredChanges' | 'unignored'> {
  return {
    async unignored(tree) {
      const answer = await git.run(await requireClone(tree), UNIGNORED, { patienceMs: PATIENCE_MS, bytes: true });
      if (answer.code !== 0) throw failure('GIT_FAILED', 'the files that the setup made could not be listed');
      return [...new Set(splitZ(answer.stdout).map(exactText))];
    },
    async markIgnored(tree) {
      const files = await listed(git, tree);
      if (files === null) return rm(fileOf(tree), { force: true });
      const text = JSON.stringify(Object.fromEntries(files.map(({ path, stamp }) => [path, stamp])));
      await writeFile(`${fileOf(tree)}.half`, text);
      await rename(`${fileOf(tree)}.half`, fileOf(tree));
    },
    async ignoredChanges(tree) {
      const [before, now] = [await recorded(tree), await listed(git, tree)];
      return before === null || now === null ? null : ignoredChanges(before, now);
    },
  };
}
