/** Finds and describes the user's repository. Nothing in it is changed or run. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failure } from '../../../shared/errors.ts';
import type { CommitAuthor } from '../../../shared/job/rows.ts';
import { isWithin } from '../../platform/executables.ts';
import { OWN_IDENTITY, readIfThere } from '../gitDirectory.ts';
import { isObjectId } from '../names.ts';
import { type GitAnswer, type GitLocation, gitFailure, type RunGit } from '../runGit.ts';
import type { UserRepository, UserSide } from './sides.ts';
import { readUserSettings } from './userSettings.ts';

const QUESTIONS = [
  'rev-parse',
  '--path-format=absolute',
  '--is-bare-repository',
  '--is-inside-git-dir',
  '--show-object-format',
  '--absolute-git-dir',
  '--git-common-dir',
  '--show-toplevel',
];

export function unsupported(reason: string, hint: string, details: Record<string, string> = {}) {
  return failure('REPOSITORY_UNSUPPORTED', reason, { hint, details });
}

function discoveryFailure(answer: GitAnswer, folder: string) {
  const { stderr, stdout } = answer;
  if (/dubious ownership/.test(stderr)) {
    return unsupported(
      `the repository belongs to another user, so git refuses to work in it: ${folder}`,
      `If you trust it, say so to git: git config --global --add safe.directory '${folder}'`,
    );
  }
  if (/cannot use bare repository/.test(stderr) || stdout.startsWith('true\n')) {
    return unsupported(`this is a bare repository: ${folder}`, 'Start in a work tree of it (git worktree add).');
  }
  if (/must be run in a work tree/.test(stderr)) {
    return unsupported(`this folder is inside a git directory: ${folder}`, 'Start in the project folder itself.');
  }
  if (/not a git repository/.test(stderr)) {
    return failure('NOT_A_REPOSITORY', `not a git repository: ${folder}`, {
      hint: 'Create one and commit the files: git init && git add -A && git commit -m "Start"',
      details: { folder },
    });
  }
  return gitFailure(QUESTIONS, answer);
}

async function realFolder(projectDir: string): Promise<string> {
  const folder = await realpath(projectDir).catch(() => null);
  if (folder === null || !(await stat(folder)).isDirectory()) {
    throw failure('NOT_A_REPOSITORY', `no such folder: ${projectDir}`, { details: { folder: projectDir } });
  }
  return folder;
}

/** Finds the repository of a folder. Throws GIT_MISSING, NOT_A_REPOSITORY, REPOSITORY_UNSUPPORTED. */
export async function openUserRepository(user: UserSide, projectDir: string): Promise<UserRepository> {
  const folder = await realFolder(projectDir);
  const settings = await readUserSettings(user.git, folder, user.env);
  let place: GitLocation = { cwd: folder };
  let answer = await user.git.run(place, QUESTIONS);
  const doubted = /dubious ownership in repository at '(.*)'/.exec(answer.stderr)?.[1];
  if (doubted !== undefined && settings.declaredSafe(doubted)) {
    place = { ...place, declaredSafe: true };
    answer = await user.git.run(place, QUESTIONS);
  }
  if (answer.code !== 0) throw discoveryFailure(answer, folder);
  const lines = answer.stdout.split('\n');
  const [bare, inside, objectFormat, gitDir, commonDir, top] = lines;
  if (lines.length !== 7 || !gitDir || !commonDir || !top) {
    throw unsupported('the path of this repository holds a line break', 'Move it to a folder with an ordinary name.');
  }
  if (bare === 'true' || inside === 'true') throw discoveryFailure(answer, folder);
  const root = await realpath(top);
  // a configured core.worktree can point anywhere: only a tree that contains both the folder and its `.git` is accepted
  if (!isWithin(folder, root) || !(await lstat(join(root, '.git')).catch(() => null))) {
    throw unsupported('the work tree of this repository is elsewhere (core.worktree)', 'Start in an ordinary clone.');
  }
  const info = async (name: string) => (await readIfThere(join(commonDir, 'info', name))) ?? '';
  return {
    root,
    gitDir,
    commonDir,
    objectFormat: objectFormat === 'sha256' ? 'sha256' : 'sha1',
    shallow: await readIfThere(join(commonDir, 'shallow')),
    settings,
    exclude: `${await info('exclude')}\n${settings.globalExclude}\n`,
    attributes: await info('attributes'),
    place: { ...place, cwd: root, gitDir, workTree: root },
  };
}

/** The repository, with `author` as the author of commits. */
export function authored(repository: UserRepository, author: CommitAuthor = 'user'): UserRepository {
  if (author === 'user') return repository;
  return { ...repository, settings: { ...repository.settings, identity: OWN_IDENTITY } };
}

/** The commit of a full ref name or of HEAD; null if there is none. */
export async function tipOf(git: RunGit, repository: UserRepository, ref: string): Promise<string | null> {
  const answer = await git.run(repository.place, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${ref}^{commit}`,
  ]);
  const id = answer.stdout.trim();
  if (answer.code === 0 && isObjectId(id)) return id;
  if (answer.code === 1) return null;
  throw gitFailure(['rev-parse'], answer);
}

/** The checked-out branch without `refs/heads/`, or null for a detached HEAD. */
export async function checkedOutBranch(git: RunGit, repository: UserRepository): Promise<string | null> {
  const answer = await git.run(repository.place, ['symbolic-ref', '--quiet', 'HEAD']);
  if (answer.code === 1) return null;
  if (answer.code !== 0) throw gitFailure(['symbolic-ref'], answer);
  const ref = answer.stdout.trim();
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null;
}
