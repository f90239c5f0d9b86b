/** A job's private git directory over its work tree: how our commands see it, and whether it is still there. */
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobTree } from '../../engine/ports.ts';
import { failure } from '../../shared/errors.ts';
import type { Extras, GitAnswer, Place, RunGit } from './runGit.ts';

export function placeOf(tree: JobTree): Place {
  return { cwd: tree.workTree, gitDir: tree.gitDir, workTree: tree.workTree };
}

/** Throws CLONE_MISSING when the work tree or the private git directory went away. */
export async function requireClone(tree: JobTree): Promise<Place> {
  const [head, work] = await Promise.all([
    lstat(join(tree.gitDir, 'HEAD')).catch(() => null),
    lstat(tree.workTree).catch(() => null),
  ]);
  if (!head?.isFile() || !work?.isDirectory()) {
    const gone = work?.isDirectory() ? tree.gitDir : tree.workTree;
    throw failure('CLONE_MISSING', `the job's clone is gone: ${gone}`, {
      hint: 'The work of its attempts is kept: `autonomous attempts` lists it, `autonomous restore` makes it a branch.',
      details: { path: gone },
    });
  }
  return placeOf(tree);
}

/** For commands on commits alone: neither attributes of the work tree (a pipe even) nor submodules of the index are read. */
export async function requireCommits(tree: JobTree): Promise<Place> {
  await requireClone(tree);
  const { gitDir } = tree;
  return { cwd: gitDir, gitDir, workTree: gitDir, indexFile: join(gitDir, 'no-index') };
}

/** A lock that an ended owner's git left behind: this directory has one writer, so nobody holds it. */
export async function runUnlocked(
  git: RunGit,
  place: Place,
  args: readonly string[],
  extras: Extras = {},
): Promise<GitAnswer> {
  const answer = await git.run(place, args, extras);
  if (answer.code === 0 || place.gitDir === undefined || !/\.lock': File exists/.test(answer.stderr)) return answer;
  await rm(place.indexFile === undefined ? join(place.gitDir, 'index.lock') : `${place.indexFile}.lock`, {
    force: true,
  });
  return git.run(place, args, extras);
}
