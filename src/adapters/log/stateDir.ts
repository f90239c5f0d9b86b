/** Checks and creates the folder `.autonomous`. */
import { join } from 'node:path';
import { isPlainName } from '../../core/guard/hiddenNames.ts';
import { diskFailure, replaceFile } from '../../engine/state/filePorts.ts';
import type { FileOps } from '../../engine/state/storePorts.ts';
import { failure } from '../../shared/errors.ts';

/** Folders that this program reads and writes: none may be a link that leads elsewhere. Parents come first. */
const OURS = [
  ['', 'events', 'epoch', 'sessions', 'answers', 'artifacts', 'attempts', 'projects', 'memory', 'skills', 'templates'],
  [join('templates', 'tasks')],
];
const OF_PROJECT = ['', 'session', 'memory', 'skills'];

/**
 * Throws STATE_SYMLINK for a link and STATE_DAMAGED for anything else that is not a folder. Returns whether the state
 * exists.
 */
export async function checkStateDir(stateDir: string, ops: FileOps): Promise<boolean> {
  if ((await ops.stat(stateDir)) === null) return false;
  for (const names of OURS) await checkFolders(stateDir, names, ops);
  return true;
}

/** The same for the folders of these projects. Other folders are not part of the state and are not read. */
export async function checkProjectDirs(stateDir: string, projects: Iterable<string>, ops: FileOps): Promise<void> {
  const names = [...projects].filter(isPlainName);
  await Promise.all(names.map((name) => checkProject(join(stateDir, 'projects', name), ops)));
}

/** A file at this path belongs to no project and blocks none. */
async function checkProject(folder: string, ops: FileOps): Promise<void> {
  if ((await ops.stat(folder))?.kind !== 'file') await checkFolders(folder, OF_PROJECT, ops);
}

async function checkFolders(top: string, names: readonly string[], ops: FileOps): Promise<void> {
  const stats = await Promise.all(names.map((name) => ops.stat(join(top, name))));
  for (const [index, stat] of stats.entries()) {
    if (stat === null || stat.kind === 'folder') continue;
    const path = join(top, names[index] ?? '');
    const options = { hint: 'Remove it, or move it away.', details: { path } };
    if (stat.kind === 'link') throw failure('STATE_SYMLINK', `${path} is a symbolic link`, options);
    throw failure('STATE_DAMAGED', `${path} is not a folder`, options);
  }
}

/** Creates the folder with its `.gitignore` and the folders of the log. Throws DISK. */
export async function makeStateDir(stateDir: string, ops: FileOps): Promise<void> {
  await checkStateDir(stateDir, ops);
  try {
    await ops.makeDir(join(stateDir, 'events'));
    await ops.makeDir(join(stateDir, 'epoch'));
    const ignore = join(stateDir, '.gitignore');
    const stat = await ops.stat(ignore);
    // An empty file is the result of a failed disk; with it, git would offer the whole state for a commit.
    if (stat === null || stat.kind === 'link' || stat.size === 0) await replaceFile(ops, ignore, Buffer.from('*\n'));
    await ops.syncDir(stateDir);
  } catch (thrown) {
    throw diskFailure(thrown, stateDir);
  }
}
