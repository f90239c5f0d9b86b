/**
 * Finds git repositories that a tree contains as ordinary files. Git treats such a folder as a repository as soon as a person, or a shell prompt,
 * asks for the status in it, and then runs the commands in its configuration and hooks.
 */
import { foldedName } from '../guard/hiddenNames.ts';

/** Entries at the top of a repository, in the spelling that every file system folds to. */
const FILES = new Set(['head', 'config', 'config.worktree', 'commondir', 'gitdir', 'index', 'packed-refs']);
const FOLDERS = new Set(['hooks', 'info', 'objects', 'refs', 'worktrees', 'modules', 'logs', 'reftable']);
/** Shown only if no other part of the repository changed: there can be thousands. */
const CONTENT = new Set(['objects', 'refs', 'logs', 'reftable']);

interface Part {
  /** The folder that would be the repository. */
  readonly folder: string;
  /** The name of the entry there. */
  readonly name: string;
  readonly isFolder: boolean;
}

/** Every reading of a path as a part of a repository. */
function partsOf(path: string): Part[] {
  const names = path.split('/');
  return names.flatMap((each, at) => {
    const name = foldedName(each);
    const isFolder = at < names.length - 1;
    return (isFolder ? FOLDERS : FILES).has(name) ? [{ folder: names.slice(0, at).join('/'), name, isFolder }] : [];
  });
}

/** Whether the changed paths can complete a repository, so that the whole tree must be checked. */
export const mayEmbedRepository = (changed: readonly string[]): boolean =>
  changed.some((path) => partsOf(path).length > 0);

/** Folders of the tree that git takes for a repository. `HEAD` and a configuration are enough: the rest may be added unseen. */
function repositoriesIn(all: readonly string[]): ReadonlySet<string> {
  const found = new Map<string, Set<string>>();
  for (const path of all) {
    for (const { folder, name } of partsOf(path)) {
      const known = found.get(folder) ?? new Set();
      found.set(folder, known.add(name));
    }
  }
  const isRepository = (has: ReadonlySet<string>): boolean =>
    has.has('head') &&
    (['config', 'config.worktree', 'commondir', 'hooks'].some((name) => has.has(name)) ||
      (has.has('objects') && has.has('refs')));
  return new Set([...found].flatMap(([folder, has]) => (isRepository(has) ? [folder] : [])));
}

export interface Embedded {
  /** The repositories with changes; the top of the tree is ``. */
  readonly folders: readonly string[];
  readonly paths: readonly string[];
}

/** Those of the changed paths that are parts of a repository embedded in the tree `all`. */
export function embeddedIn(changed: readonly string[], all: readonly string[]): Embedded {
  const repositories = repositoriesIn(all);
  const inside = changed.flatMap((path) =>
    partsOf(path)
      .filter(({ folder }) => repositories.has(folder))
      .map((part) => ({ path, ...part })),
  );
  const telling = new Set(inside.filter(({ name }) => !CONTENT.has(name)).map(({ folder }) => folder));
  const shown = inside.filter(({ name, folder }) => !CONTENT.has(name) || !telling.has(folder));
  return {
    folders: [...new Set(shown.map(({ folder }) => folder))],
    paths: [...new Set(shown.map(({ path }) => path))],
  };
}
