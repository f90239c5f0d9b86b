/** Finds the git to run: an absolute path, found once, never one from a project. */
import { failure } from '../../shared/errors.ts';
import { findExecutable, ownFolders } from '../platform/executables.ts';

/** merge-tree --write-tree exists from this version. */
const OLDEST = [2, 38] as const;
const HINT = `Install git ${OLDEST.join('.')} or newer and put it on the PATH.`;

/** Absolute path of git on this PATH; relative folders and those of packages are skipped. Throws GIT_MISSING. */
export function findGit(searchPath: string): string {
  const found = findExecutable('git', ownFolders(searchPath));
  if (found === null) throw failure('GIT_MISSING', 'git was not found', { hint: HINT });
  return found;
}

/** Throws GIT_MISSING if the text of `git --version` is older than the required version. */
export function requireVersion(text: string): void {
  const [, major = '0', minor = '0'] = /git version (\d+)\.(\d+)/.exec(text) ?? [];
  const old = Number(major) - OLDEST[0] || Number(minor) - OLDEST[1];
  if (old < 0) throw failure('GIT_MISSING', `git is too old: ${text.trim()}`, { hint: HINT });
}
