/**
 * Decides which files of a state (`.autonomous`) are tracked by the repository: its last commit or its index contains
 * them. Files that an engine writes there are ignored by git, so a tracked one may come from anyone.
 */
import { existsSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { foldedNames, namesBelow } from '../../../core/guard/foldedPath.ts';
import { isStatePath } from '../../../core/guard/hiddenNames.ts';
import { splitZ } from '../names.ts';
import { withScratchRepository } from './scratchRepository.ts';
import type { UserRepository, UserSide } from './sides.ts';
import { openUserRepository, tipOf } from './userRepository.ts';

const folded = (path: string): string => foldedNames(path).join('/');

/** Every checkout, pull and commit rewrites the index. */
async function stampOf({ gitDir }: UserRepository): Promise<string> {
  const stat = await lstat(join(gitDir, 'index')).catch(() => null);
  return stat === null ? '' : `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
}

async function heldState(user: UserSide, repository: UserRepository): Promise<ReadonlySet<string>> {
  const head = await tipOf(user.git, repository, 'HEAD');
  if (head === null) return new Set();
  const paths = await withScratchRepository(repository, head, async ({ place }) => [
    ...splitZ(
      await user.git.ok(place, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', '--end-of-options', head]),
    ),
    ...splitZ(await user.git.ok(place, ['ls-files', '-z'])),
  ]);
  return new Set(paths.filter(isStatePath).map(folded));
}

function hasRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  return dirname(folder) !== folder && hasRepository(dirname(folder));
}

/** Whether a file of the state in `projectDir` came with the repository. False outside a repository. */
export function trackedFiles(user: UserSide): (projectDir: string, path: string) => Promise<boolean> {
  const repositories = new Map<string, Promise<UserRepository>>();
  const held = new Map<string, { readonly stamp: string; readonly paths: Promise<ReadonlySet<string>> }>();

  return async (projectDir, path) => {
    if (!hasRepository(projectDir)) return false;
    const opened = repositories.get(projectDir) ?? openUserRepository(user, projectDir);
    repositories.set(projectDir, opened);
    try {
      const repository = await opened;
      const stamp = await stampOf(repository);
      const known = held.get(projectDir);
      const paths = known?.stamp === stamp ? known.paths : heldState(user, repository);
      held.set(projectDir, { stamp, paths });
      // The folder may be given by another path than git's.
      const above = namesBelow(await realpath(projectDir), repository.root);
      return (await paths).has([...above, ...namesBelow(path, projectDir)].join('/'));
    } catch (thrown) {
      repositories.delete(projectDir);
      held.delete(projectDir);
      throw thrown;
    }
  };
}
