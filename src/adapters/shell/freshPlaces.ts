/**
 * Prepares the folders of a job's fresh checkout: the tree and the home that commands see, and dependencies from a
 * setup, which no command sees. The dependencies are copied, so that writes in the tree do not reach them.
 */
import { constants, type Stats } from 'node:fs';
import { cp, lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFields, parseJson } from '../../core/text/json.ts';
import type { FreshPlaces } from '../../engine/job/gitPorts.ts';
import { rename } from '../platform/heldFiles.ts';
import { removeLargeTree } from './removeTree.ts';

/** Limit of a home: only the setup reads it, and it is as large as what the setup installs. */
const NOT_KEPT = ['.npm'];
const MANIFEST = 'folders.json';

const partsOf = (deps: string, key: string) => ({ kept: join(deps, 'deps', key), half: join(deps, 'deps', 'half') });

const isPlain = (stat: Stats): boolean => stat.isFile() || stat.isDirectory() || stat.isSymbolicLink();

/** Copies on write if the disk can, otherwise byte by byte. Sockets and pipes are left out. */
async function copy(from: string, to: string, wanted: (path: string) => boolean = () => true): Promise<void> {
  await cp(from, to, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    filter: async (path) => wanted(path) && isPlain(await lstat(path)),
  });
}

async function foldersIn(kept: string): Promise<readonly string[] | null> {
  const text = await readFile(join(kept, MANIFEST), 'utf8').catch(() => '');
  const value = parseJson(text);
  return isFields(value) && Array.isArray(value['folders']) ? value['folders'].map(String) : null;
}

/** False if nothing is kept there. */
async function copyFolders(kept: string, tree: string): Promise<boolean> {
  const folders = await foldersIn(kept);
  for (const [at, path] of (folders ?? []).entries()) await copy(join(kept, String(at)), join(tree, path));
  return folders !== null;
}

export const freshPlaces: FreshPlaces = {
  async empty(root) {
    for (const part of ['tree', 'home']) await removeLargeTree(join(root, part));
    await mkdir(join(root, 'home'), { recursive: true, mode: 0o700 });
  },
  async remove(root) {
    for (const part of ['tree', 'home']) await removeLargeTree(join(root, part));
  },
  async restore(deps, key, root) {
    const { kept } = partsOf(deps, key);
    if (!(await copyFolders(kept, join(root, 'tree')))) return false;
    await removeLargeTree(join(root, 'home'));
    await copy(join(kept, 'home'), join(root, 'home'));
    return true;
  },
  restoreInto: (deps, key, tree) => copyFolders(partsOf(deps, key).kept, tree),
  async keep(root, key, folders, deps) {
    const { kept, half } = partsOf(deps, key);
    const home = join(root, 'home');
    const notKept = NOT_KEPT.map((name) => join(home, name));
    // Only one set is kept: the previous one belongs to an earlier start of the job.
    for (const name of await readdir(join(deps, 'deps')).catch(() => []))
      await removeLargeTree(join(deps, 'deps', name));
    await mkdir(half, { recursive: true, mode: 0o700 });
    for (const [at, path] of folders.entries()) await copy(join(root, 'tree', path), join(half, String(at)));
    await copy(home, join(half, 'home'), (path) => !notKept.includes(path));
    await writeFile(join(half, MANIFEST), JSON.stringify({ folders }));
    await rename(half, kept);
  },
};
