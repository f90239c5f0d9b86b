/**
 * A temporary git directory beside the user's: it sees the user's objects and, if requested, a copy of the user's index
 * over the user's work tree with the user's line ends and attributes, but no other configuration, no hooks, drivers or
 * refs. So reading the tree runs no filter and writes nothing into the user's repository.
 */
import { copyFile, mkdtemp, readdir, stat, utimes } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskFailure } from '../../../engine/state/filePorts.ts';
import { leaveHeld, rm } from '../../platform/heldFiles.ts';
import { writeGitDirectory } from '../gitDirectory.ts';
import type { ScratchRepository, UserRepository } from './sides.ts';

/** No drivers are looked up for the user's files, and only their line ends are converted, whatever the attributes request. */
const NO_DRIVERS = '* !filter !diff !merge !ident !working-tree-encoding\n';
export const SCRATCH_BASE = 'refs/heads/base';
/**
 * Prefix of its folder in the temp folder: the next owner removes those whose makers were killed
 * (`adapters/shell/sandbox/leftFolders.ts`).
 */
export const SCRATCH_PREFIX = 'autonomous-git-';

async function copyIndexOf(repository: UserRepository, gitDir: string): Promise<void> {
  await rm(join(gitDir, 'index'), { force: true });
  const names = (await readdir(repository.gitDir)).filter(
    (name) => name === 'index' || name.startsWith('sharedindex.'),
  );
  for (const name of names) {
    const [from, to] = [join(repository.gitDir, name), join(gitDir, name)];
    // By its time git knows the files that may have changed since without a trace: a later time would hide them.
    const { atime, mtime } = await stat(from);
    await copyFile(from, to);
    await utimes(to, atime, mtime);
  }
}

/**
 * Shows other processes that the folder's maker is alive, by a socket in the folder. If no socket can be created, the
 * folder of a killed process is never removed.
 */
async function signOfLife(folder: string): Promise<() => void> {
  const server = createServer((caller) => caller.destroy());
  await new Promise<void>((resolve) => {
    server.once('listening', resolve);
    server.once('error', () => resolve());
    server.listen(join(folder, 's'));
  });
  return () => void server.close();
}

/** A full temp folder is a failure of the disk, not a bug. */
const full =
  (path: string) =>
  (thrown: unknown): never => {
    throw diskFailure(thrown, path);
  };

/** Calls `use` with a scratch repository whose HEAD and `refs/heads/base` are `head`, and removes it afterwards. */
export async function withScratchRepository<T>(
  repository: UserRepository,
  head: string,
  use: (scratch: ScratchRepository) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), SCRATCH_PREFIX)).catch(full(tmpdir()));
  const end = await signOfLife(folder);
  const gitDir = join(folder, 'git');
  const userObjects = join(repository.commonDir, 'objects');
  try {
    await writeGitDirectory(gitDir, {
      objectFormat: repository.objectFormat,
      head,
      refs: { [SCRATCH_BASE]: head },
      alternates: [userObjects],
      shallow: repository.shallow,
      exclude: repository.exclude,
      attributes: `${repository.attributes}\n${NO_DRIVERS}`,
      core: repository.settings.core,
      identity: repository.settings.identity,
      serve: true,
    }).catch(full(gitDir));
    const copyIndex = () => copyIndexOf(repository, gitDir);
    await copyIndex().catch(full(gitDir));
    const { root, settings } = repository;
    const place = { cwd: root, gitDir, workTree: root, attributesFile: settings.globalAttributes };
    return await use({ gitDir, userObjects, copyIndex, place });
  } finally {
    end();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(leaveHeld);
  }
}
