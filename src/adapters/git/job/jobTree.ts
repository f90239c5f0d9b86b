/** Locates a job's private git directory and its work tree, and checks whether they still exist. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobTree } from '../../../engine/job/gitPorts.ts';
import { failure } from '../../../shared/errors.ts';
import { rm } from '../../platform/heldFiles.ts';
import type { Extras, GitAnswer, GitLocation, RunGit } from '../runGit.ts';

/** A location with a work tree. */
export type WorkTreeLocation = GitLocation & { readonly workTree: string };

export function locationOf(tree: JobTree): WorkTreeLocation {
  return { cwd: tree.workTree, gitDir: tree.gitDir, workTree: tree.workTree, indexFile: ownFile(tree, 'index') };
}

/** Own file with the setup that ran in the work tree. */
export const SETUP_FILE = 'setup';

/** Path of a file that belongs to this work tree alone. */
export const ownFile = ({ gitDir, ownDir = gitDir }: JobTree, name: string): string => join(ownDir, name);

async function hasCommits(tree: JobTree): Promise<boolean> {
  return (await lstat(join(tree.gitDir, 'HEAD')).catch(() => null))?.isFile() === true;
}

async function hasFolder(tree: JobTree): Promise<boolean> {
  return (await lstat(tree.workTree).catch(() => null))?.isDirectory() === true;
}

/** Whether both the work tree and the private git directory exist. */
export async function hasClone(tree: JobTree): Promise<boolean> {
  return (await hasFolder(tree)) && (await hasCommits(tree));
}

/** Throws CLONE_MISSING if the private git directory is missing: then the clone cannot be restored. */
async function requireGitDirectory(tree: JobTree): Promise<void> {
  if (await hasCommits(tree)) return;
  throw failure('CLONE_MISSING', `the git directory of the job is missing: ${tree.gitDir}`, {
    hint: 'The work of its attempts is kept: `autonomous attempts` lists it, `autonomous restore` makes it a branch.',
    details: { path: tree.gitDir },
  });
}

/** Throws CLONE_MISSING if the work tree or the private git directory is missing. */
export async function requireClone(tree: JobTree): Promise<WorkTreeLocation> {
  await requireGitDirectory(tree);
  if (!(await hasFolder(tree)))
    throw failure('CLONE_MISSING', `the clone of the job is missing: ${tree.workTree}`, {
      hint: 'Resume the job: the clone is made again from the commits and checkpoints of the job.',
      details: { path: tree.workTree },
    });
  return locationOf(tree);
}

/**
 * For commands on commits alone: neither attributes of the work tree (a pipe even) nor submodules of the index are
 * read, and the work tree may be missing. Throws CLONE_MISSING if the private git directory is missing.
 */
export async function requireCommits(tree: JobTree): Promise<GitLocation> {
  await requireGitDirectory(tree);
  const { gitDir } = tree;
  return { cwd: gitDir, gitDir, workTree: gitDir, indexFile: join(gitDir, 'no-index') };
}

/** Removes a lock that an ended owner's git left: this directory has one writer, so no living process holds it. */
export async function runUnlocked(
  git: RunGit,
  place: GitLocation,
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
