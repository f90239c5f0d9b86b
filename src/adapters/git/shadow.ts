/**
 * A throw-away git directory beside the user's: it sees his objects and, when asked, a copy of his index over his work
 * tree, and nothing of his configuration, hooks, attributes or refs. So reading his tree runs no filter and writes
 * nothing into his repository.
 */
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeGitDirectory } from './gitDirectory.ts';
import type { Place } from './runGit.ts';
import type { UserRepository } from './userRepository.ts';

/** Drivers are never looked up for the user's files, whatever his attributes say. */
const NO_DRIVERS = '* !filter !diff !merge\n';
export const SHADOW_BASE = 'refs/heads/base';

export interface Shadow {
  readonly gitDir: string;
  /** Where git keeps objects that the user has. */
  readonly userObjects: string;
  /** Over the user's tree with the copied index. */
  readonly place: Place;
  /** Copies the user's index again. */
  copyIndex(): Promise<void>;
}

async function copyIndexOf(repository: UserRepository, gitDir: string): Promise<void> {
  await rm(join(gitDir, 'index'), { force: true });
  const names = (await readdir(repository.gitDir)).filter(
    (name) => name === 'index' || name.startsWith('sharedindex.'),
  );
  for (const name of names) await copyFile(join(repository.gitDir, name), join(gitDir, name));
}

/** Gives `use` a shadow whose HEAD and `refs/heads/base` are `head`, and removes it afterwards. */
export async function withShadow<T>(
  repository: UserRepository,
  head: string,
  use: (shadow: Shadow) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'autonomous-git-'));
  const gitDir = join(folder, 'git');
  const userObjects = join(repository.commonDir, 'objects');
  try {
    await writeGitDirectory(gitDir, {
      objectFormat: repository.objectFormat,
      head,
      refs: { [SHADOW_BASE]: head },
      alternates: [userObjects],
      shallow: repository.shallow,
      exclude: repository.exclude,
      attributes: NO_DRIVERS,
      core: repository.settings.core,
      identity: repository.settings.identity,
      serve: true,
    });
    const copyIndex = () => copyIndexOf(repository, gitDir);
    await copyIndex();
    const { root } = repository;
    return await use({ gitDir, userObjects, copyIndex, place: { cwd: root, gitDir, workTree: root } });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
