/** Inspects a repository: whether a job can work on it, and its current state. */
import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { namesBelow } from '../../../core/guard/foldedPath.ts';
import { foldedName } from '../../../core/guard/hiddenNames.ts';
import { NO_COMMIT } from '../../../core/workspace/notReady.ts';
import type { RepositoryFacts } from '../../../engine/job/gitPorts.ts';
import { splitZ, treeLine } from '../names.ts';
import type { RunGit } from '../runGit.ts';
import { type CommitListing, FILTERED, listCommit, usesFilters } from './filters.ts';
import { checkoutsOf } from './refs.ts';
import { withScratchRepository } from './scratchRepository.ts';
import type { ScratchRepository, UserRepository, UserSide } from './sides.ts';
import { checkedOutBranch, openUserRepository, tipOf, unsupported } from './userRepository.ts';

const MAX_DIRTY = 200;
/** Mode of a folder in `ls-tree`. */
const FOLDER = '040000';

const UNDER_WAY: readonly (readonly [string, string])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
];

async function refuseUnderWay({ gitDir }: UserRepository): Promise<void> {
  for (const [file, name] of UNDER_WAY) {
    const there = await lstat(join(gitDir, file)).catch(() => null);
    if (there)
      throw unsupported(`a ${name} is in progress in this repository`, `Finish it first (or git ${name} --abort).`);
  }
}

/** Throws REPOSITORY_UNSUPPORTED for a commit with submodules or LFS files. */
export function refuseForeignContent({ entries, attributes }: CommitListing): void {
  for (const line of entries) {
    const [entry = '', path = ''] = line.split('\t', 2);
    if (entry.startsWith('160000 ') || path === '.gitmodules') {
      throw unsupported(`this repository has submodules (${path})`, 'Submodules are not supported yet.', { path });
    }
  }
  if (/filter\s*=\s*lfs/i.test(attributes)) {
    throw unsupported(
      'this repository keeps files in Git LFS',
      'Git LFS is not supported yet: its filter would have to run.',
    );
  }
}

interface Uncommitted {
  readonly dirty: readonly string[];
  readonly untracked: readonly string[];
}

/** Paths with uncommitted work, as in `git status`, without running any filter. */
export async function uncommitted(
  git: RunGit,
  scratch: ScratchRepository,
  untracked: 'normal' | 'no',
): Promise<Uncommitted> {
  const text = await git.ok(scratch.place, [
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    `--untracked-files=${untracked}`,
    '--ignore-submodules=all',
  ]);
  const entries = splitZ(text);
  const paths = (isUntracked: boolean) =>
    entries.filter((entry) => entry.startsWith('??') === isUntracked).map((entry) => entry.slice(3));
  return { dirty: paths(false), untracked: paths(true) };
}

/**
 * Whether the last commit contains the path in `projectDir` (folders included), under any spelling that some file system
 * takes for it: then it came with the repository. False without a commit.
 */
export async function isCommitted(user: UserSide, projectDir: string, path: string): Promise<boolean> {
  const repository = await openUserRepository(user, projectDir);
  const head = await tipOf(user.git, repository, 'HEAD');
  if (head === null) return false;
  const names = namesBelow(join(await realpath(projectDir), path), repository.root);
  return withScratchRepository(repository, head, async ({ place }) => {
    let found = [head];
    for (const [depth, name] of names.entries()) {
      const lists = found.map((tree) => user.git.ok(place, ['ls-tree', '-z', '--full-tree', '--end-of-options', tree]));
      found = (await Promise.all(lists))
        .flatMap(splitZ)
        .map(treeLine)
        .filter((entry) => foldedName(entry.path) === name && (depth === names.length - 1 || entry.mode === FOLDER))
        .map(({ id }) => id);
    }
    return found.length > 0;
  });
}

/** See GitAdapter.branchOf. */
export async function branchOf(user: UserSide, projectDir: string): Promise<string | null> {
  return checkedOutBranch(user.git, await openUserRepository(user, projectDir));
}

/** Reasons why a merge would be refused at the end, reported before anything is paid for. */
async function objectionsTo(
  git: RunGit,
  repository: UserRepository,
  { listing, branch }: { readonly listing: CommitListing; readonly branch: string | null },
): Promise<string[]> {
  const objections: string[] = [];
  if (branch === null)
    objections.push('no branch is checked out (detached HEAD): check out the branch that the result is for');
  else {
    const folders = await checkoutsOf(git, repository, `refs/heads/${branch}`);
    if (folders.length > 1)
      objections.push(
        `the branch ${branch} is checked out more than once: ${folders.join(', ')}; keep one checkout of it`,
      );
  }
  if (usesFilters(repository, listing)) objections.push(FILTERED);
  return objections;
}

/** See GitPort.inspect. */
export async function inspect(user: UserSide, projectDir: string): Promise<RepositoryFacts> {
  const repository = await openUserRepository(user, projectDir);
  const { git } = user;
  const head = await tipOf(git, repository, 'HEAD');
  if (head === null) {
    throw unsupported('this repository has no commit yet', 'Make one: git add -A && git commit -m "Start"', {
      reason: NO_COMMIT,
    });
  }
  if (repository.settings.partialClone)
    throw unsupported('this is a partial clone', 'Fetch the whole repository, or start in a full clone.');
  if (repository.settings.sparse)
    throw unsupported('this is a sparse checkout', 'Turn it off: git sparse-checkout disable');
  await refuseUnderWay(repository);
  return withScratchRepository(repository, head, async (scratch) => {
    const listing = await listCommit(git, scratch, head);
    refuseForeignContent(listing);
    const { dirty, untracked } = await uncommitted(git, scratch, 'normal');
    const branch = await checkedOutBranch(git, repository);
    return {
      root: repository.root,
      head,
      branch,
      dirty: dirty.slice(0, MAX_DIRTY),
      untracked: untracked.slice(0, MAX_DIRTY),
      objections: await objectionsTo(git, repository, { listing, branch }),
    };
  });
}
