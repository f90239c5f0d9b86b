/** Finds the git to run: an absolute path, found once, never one from a project. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, sep } from 'node:path';
import { failure } from '../../shared/errors.ts';

/** merge-tree --write-tree exists from this version. */
const OLDEST = [2, 38] as const;
const HINT = `Install git ${OLDEST.join('.')} or newer and put it on the PATH.`;

const inPackageFolder = (folder: string) => folder.split(sep).includes('node_modules');

/** Absolute path of git on this PATH; relative folders and those of packages are skipped. Throws GIT_MISSING. */
export async function findGit(searchPath: string): Promise<string> {
  const names = process.platform === 'win32' ? ['git.exe'] : ['git'];
  for (const folder of searchPath.split(delimiter)) {
    if (!isAbsolute(folder) || inPackageFolder(folder)) continue;
    for (const name of names) {
      const candidate = join(folder, name);
      if (await isProgram(candidate)) return candidate;
    }
  }
  throw failure('GIT_MISSING', 'git was not found', { hint: HINT });
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // missing, or not executable: try the next folder of the PATH
    return false;
  }
}

/** Throws GIT_MISSING if the text of `git --version` is older than the required version. */
export function requireVersion(text: string): void {
  const [, major = '0', minor = '0'] = /git version (\d+)\.(\d+)/.exec(text) ?? [];
  const old = Number(major) - OLDEST[0] || Number(minor) - OLDEST[1];
  if (old < 0) throw failure('GIT_MISSING', `git is too old: ${text.trim()}`, { hint: HINT });
}
