/** Lists a tree without the files that its `.gitignore` files exclude. No link is followed. */
import { constants } from 'node:fs';
import { open, readdir, readlink } from 'node:fs/promises';
import { type IgnoreFile, ignoreFile, isIgnored } from '../../core/repository/gitIgnore.ts';
import type { Listed, ListQuery } from '../../engine/session/ports.ts';
import { errnoOf } from '../../shared/errors.ts';
import { wholeText } from './boundedText.ts';
import { type HeldFolder, within } from './heldFolder.ts';

/** Limit of visited entries. */
const MAX_LOOKED_AT = 100_000;
const MAX_DEPTH = 60;
const MAX_IGNORE_BYTES = 256 * 1024;
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

interface Walk {
  readonly root: string;
  readonly query: ListQuery;
  readonly found: Listed['entries'][number][];
  more: number;
  left: number;
}

/** Entries below `folders`, in the order of their paths. `root` is a real path. */
export async function listTree(root: string, folders: readonly string[], query: ListQuery): Promise<Listed> {
  const walk: Walk = { root, query, found: [], more: 0, left: MAX_LOOKED_AT };
  const above: IgnoreFile[] = [];
  for (let depth = 0; depth < folders.length; depth++) {
    const names = folders.slice(0, depth);
    above.push(...(await within(root, names, false, (folder) => ignoreFileIn(folder, names.join('/')))));
  }
  await walkFolder(walk, folders, above);
  return { entries: walk.found, more: walk.more, isCut: walk.left <= 0 };
}

async function walkFolder(walk: Walk, names: readonly string[], above: readonly IgnoreFile[]): Promise<void> {
  walk.query.signal.throwIfAborted();
  const prefix = names.length === 0 ? '' : `${names.join('/')}/`;
  const { ignores, entries } = await within(walk.root, names, false, async (folder) => {
    const ignores = [...above, ...(await ignoreFileIn(folder, names.join('/')))];
    return { ignores, entries: await entriesIn(walk, folder, prefix, ignores) };
  });
  for (const { name, path, kind, target } of entries) {
    if (walk.query.wanted(path, kind)) {
      if (walk.found.length < walk.query.max) walk.found.push({ path, kind, target });
      else walk.more++;
    }
    if (kind === 'folder' && names.length < MAX_DEPTH && walk.left > 0) await enter(walk, [...names, name], ignores);
  }
}

/** A folder that is unreadable, or was replaced meanwhile, is left out. */
async function enter(walk: Walk, names: readonly string[], ignores: readonly IgnoreFile[]): Promise<void> {
  try {
    await walkFolder(walk, names, ignores);
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
  }
}

async function entriesIn(walk: Walk, folder: HeldFolder, prefix: string, ignores: readonly IgnoreFile[]) {
  const all = await readdir(folder.at('.'), { withFileTypes: true });
  await folder.check();
  walk.left -= all.length;
  const shown = all
    .filter((entry) => entry.isFile() || entry.isDirectory() || entry.isSymbolicLink())
    .filter(({ name }) => !walk.query.hidden(name))
    .filter((entry) => !isIgnored(ignores, prefix + entry.name, entry.isDirectory()))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return Promise.all(
    shown.map(async (entry) => ({
      name: entry.name,
      path: prefix + entry.name,
      kind: entry.isDirectory() ? ('folder' as const) : entry.isFile() ? ('file' as const) : ('link' as const),
      target: entry.isSymbolicLink() ? await targetOf(folder, entry.name) : null,
    })),
  );
}

async function targetOf(folder: HeldFolder, name: string): Promise<string | null> {
  try {
    return await readlink(folder.at(name));
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return null;
  }
}

/** Empty if the folder has no readable `.gitignore`. */
async function ignoreFileIn(folder: HeldFolder, path: string): Promise<IgnoreFile[]> {
  try {
    await using file = await open(folder.at('.gitignore'), READ);
    if (!(await file.stat()).isFile()) return [];
    const text = await wholeText(file, MAX_IGNORE_BYTES);
    return text === null ? [] : [ignoreFile(path, text)];
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return [];
  }
}
