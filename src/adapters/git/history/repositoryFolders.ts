/** Lists the folders of a repository on this machine that contain its history or a checkout of it. */
import { createRunGit, type GitSettings } from '../runGit.ts';
import { openUserRepository } from '../user/userRepository.ts';

/** The git directory, the work tree around `projectDir` and all linked work trees, absolute. */
export async function repositoryFolders(settings: GitSettings, projectDir: string): Promise<readonly string[]> {
  const git = createRunGit(settings);
  const repository = await openUserRepository({ ...settings, git }, projectDir);
  const text = await git.ok(repository.place, ['worktree', 'list', '--porcelain', '-z']);
  const linked = text
    .split('\0')
    .filter((field) => field.startsWith('worktree '))
    .map((field) => field.slice('worktree '.length));
  return [...new Set([repository.root, repository.gitDir, repository.commonDir, ...linked])];
}
