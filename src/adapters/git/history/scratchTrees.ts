/** Combines trees of several repositories in a git directory of its own, which is removed afterwards. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { TreeEntry } from '../../../core/eval/gradedTree.ts';
import { diskFailure } from '../../../engine/state/filePorts.ts';
import { rm } from '../../platform/heldFiles.ts';
import { type ObjectFormat, writeGitDirectory } from '../gitDirectory.ts';
import { splitZ } from '../names.ts';
import type { GitLocation, RunGit } from '../runGit.ts';

/** No drivers are looked up for the files, whatever the attributes request. */
const NO_DRIVERS = '* !filter !diff !merge\n';

export interface ScratchTrees {
  readonly git: RunGit;
  readonly place: GitLocation;
  entries(tree: string): Promise<readonly TreeEntry[]>;
  /** Text of a blob. */
  text(id: string): Promise<string>;
  /** Stores a text, and returns its id. */
  store(text: string): Promise<string>;
  /** The index becomes this tree. Null for an empty one. */
  begin(tree: string | null): Promise<void>;
  remove(paths: readonly string[]): Promise<void>;
  /** Replaces files and folders that are in the way. */
  put(entries: readonly TreeEntry[]): Promise<void>;
  /** The id of the index as a tree. */
  writeTree(): Promise<string>;
  /** Writes the files of the index into an empty folder. */
  checkOut(folder: string): Promise<void>;
}

export interface ScratchOptions {
  readonly git: RunGit;
  /** Folder that contains the git directory. */
  readonly root: string;
  readonly objectFormat: ObjectFormat;
  /** Object folders that are read. */
  readonly objects: readonly string[];
}

export async function withScratchTrees<T>(
  options: ScratchOptions,
  use: (trees: ScratchTrees) => Promise<T>,
): Promise<T> {
  const { git, root, objectFormat, objects } = options;
  const folder = await mkdtemp(join(root, 'git-')).catch((thrown: unknown) => {
    throw diskFailure(thrown, root);
  });
  const gitDir = join(folder, 'git');
  try {
    const head = 'ref: refs/heads/none';
    await writeGitDirectory(gitDir, { objectFormat, head, alternates: objects, attributes: NO_DRIVERS });
    return await use(scratchTrees(git, { cwd: folder, gitDir, workTree: folder, indexFile: join(gitDir, 'index') }));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function scratchTrees(git: RunGit, place: GitLocation): ScratchTrees {
  return {
    git,
    place,
    entries: async (tree) =>
      entriesOf(await git.ok(place, ['ls-tree', '-r', '-z', '--end-of-options', tree], { bytes: true })),
    text: (id) => git.ok(place, ['cat-file', 'blob', id]),
    store: async (text) => (await git.ok(place, ['hash-object', '-w', '--stdin'], { input: text })).trim(),
    begin: async (tree) => {
      await git.ok(place, ['read-tree', ...(tree === null ? ['--empty'] : ['--end-of-options', tree])]);
    },
    remove: async (paths) => {
      const input = paths.map((path) => `${path}\0`).join('');
      if (input !== '')
        await git.ok(place, ['update-index', '--force-remove', '-z', '--stdin'], { input, bytes: true });
    },
    put: async (entries) => {
      const input = entries.map(({ mode, id, path }) => `${mode} ${id}\t${path}\0`).join('');
      if (input !== '')
        await git.ok(place, ['update-index', '--replace', '-z', '--index-info'], { input, bytes: true });
    },
    writeTree: async () => (await git.ok(place, ['write-tree'])).trim(),
    checkOut: async (folder) => {
      await git.ok({ ...place, cwd: folder, workTree: folder }, ['checkout-index', '--all', '--force']);
    },
  };
}

/** Reads `ls-tree -r -z`. Submodules are left out: they have no files here. */
function entriesOf(text: string): TreeEntry[] {
  return splitZ(text).flatMap((line) => {
    const [entry = '', path = ''] = [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)];
    const [mode = '', type = '', id = ''] = entry.split(' ');
    return type === 'blob' ? [{ mode, id, path }] : [];
  });
}
