/**
 * A file system as other systems have it: it takes several spellings for one name and keeps the first, follows links as its kernel does, and
 * records which machines were asked. It knows nothing of how the product resolves paths.
 */
import { type PlatformPath, win32 } from 'node:path';

/** How a file system compares names. */
export type Fold = (name: string) => string;

/** Each UTF-16 unit by itself, as NTFS does. */
const inUpcaseTable: Fold = (name) =>
  name
    .split('')
    .map((unit) => (unit.toUpperCase().length === 1 ? unit.toUpperCase() : unit))
    .join('');

export const FOLDS = {
  exact: (name) => name,
  apfs: (name) => name.normalize('NFD').toLowerCase().toUpperCase().normalize('NFD'),
  /** It leaves out some characters, too. */
  hfs: (name) =>
    name
      .normalize('NFD')
      .replaceAll(/[\u200c-\u200f\u202a-\u202e\ufeff]/g, '')
      .toLowerCase(),
  ntfs: (name) => inUpcaseTable(name),
} satisfies Readonly<Record<string, Fold>>;

export interface Entry {
  readonly name: string;
  readonly parent: Entry | null;
  /** Of a link. */
  readonly target: string | null;
  readonly isFolder: boolean;
  readonly entries: Map<string, Entry>;
}

/** Where a path leads: the last entry that exists, and the names below it that do not. */
export interface Reached {
  readonly entry: Entry;
  readonly missing: readonly string[];
}

const MAX_LINKS = 40;
const error = (code: string): Error => Object.assign(new Error(code), { code });

export class FakeDisk {
  readonly path: PlatformPath;
  readonly #fold: Fold;
  readonly #roots = new Map<string, Entry>();
  /** The roots that any look, also over a link, has touched since `forget`. */
  readonly touched = new Set<string>();

  constructor(path: PlatformPath, fold: Fold) {
    this.path = path;
    this.#fold = fold;
  }

  /** Adds folders, and at the end a file, a folder (`folder`) or a link (its target). Returns the entry of the path. */
  add(path: string, kind: 'file' | 'folder' | { readonly target: string } = 'folder'): Entry {
    let at = this.#root(path);
    const names = this.#namesOf(path);
    for (const [depth, name] of names.entries()) {
      const isLast = depth === names.length - 1;
      const key = this.#key(name);
      const made: Entry = {
        name,
        parent: at,
        target: isLast && typeof kind === 'object' ? kind.target : null,
        isFolder: !isLast || kind === 'folder',
        entries: new Map(),
      };
      const next = at.entries.get(key) ?? made;
      at.entries.set(key, next);
      at = next;
    }
    return at;
  }

  readonly realpath = async (path: string): Promise<string> => {
    const { entry, missing } = this.reach(path);
    if (missing.length > 0) throw error('ENOENT');
    return this.spelled(entry);
  };

  readonly lstat = async (path: string): Promise<{ isSymbolicLink(): boolean }> => {
    const entry = this.#itself(path);
    return { isSymbolicLink: () => entry.target !== null };
  };

  readonly readlink = async (path: string): Promise<string> => {
    const { target } = this.#itself(path);
    if (target === null) throw error('EINVAL');
    return target;
  };

  /** As the kernel finds a path, to open or to create it. */
  reach(path: string, follow = true): Reached {
    let at = this.#root(path);
    const rest = [...this.#namesOf(path)];
    for (let links = 0; ; ) {
      const name = rest.shift();
      if (name === undefined) return { entry: at, missing: [] };
      if (name === '.') continue;
      if (name === '..') {
        at = at.parent ?? at;
        continue;
      }
      if (!at.isFolder) throw error('ENOTDIR');
      const next = at.entries.get(this.#key(name));
      if (next === undefined) {
        if (rest.includes('..')) throw error('ENOENT');
        return { entry: at, missing: [name, ...rest].filter((one) => one !== '.') };
      }
      if (next.target === null || (!follow && rest.length === 0)) {
        at = next;
        continue;
      }
      if (++links > MAX_LINKS) throw error('ELOOP');
      // Windows resolves the text of a link, other systems go up from where they are.
      const text = this.path === win32 ? win32.resolve(this.spelled(at), next.target) : next.target;
      if (this.path.isAbsolute(text)) at = this.#root(text);
      rest.unshift(...this.#namesOf(text));
    }
  }

  /** The path of an entry as it is stored. */
  spelled({ name, parent }: Entry): string {
    return parent === null ? name : this.path.join(this.spelled(parent), name);
  }

  isIn(entry: Entry, folder: Entry): boolean {
    return entry === folder || (entry.parent !== null && this.isIn(entry.parent, folder));
  }

  /** The stored names of an entry below a folder. */
  namesBelow(entry: Entry, folder: Entry): string[] {
    return entry === folder || entry.parent === null ? [] : [...this.namesBelow(entry.parent, folder), entry.name];
  }

  /** What this file system takes a name for. */
  #key(name: string): string {
    const plain = this.path === win32 ? name.replace(/(?<=.):.*$/s, '').replace(/[. ]+$/, '') : name;
    return this.#fold(plain);
  }

  #itself(path: string): Entry {
    const { entry, missing } = this.reach(path, false);
    if (missing.length > 0) throw error('ENOENT');
    return entry;
  }

  /** A device path names the same root past the rules of Windows. */
  #plain(path: string): string {
    if (this.path !== win32) return path;
    return path
      .replaceAll('/', '\\')
      .replace(/^\\\\[?.]\\(UNC\\)?/i, (_, unc?: string) => (unc === undefined ? '' : '\\\\'));
  }

  #root(path: string): Entry {
    const { root } = this.path.parse(this.#plain(path));
    const key = root.toUpperCase();
    this.touched.add(key);
    const known = this.#roots.get(key) ?? {
      name: key,
      parent: null,
      target: null,
      isFolder: true,
      entries: new Map<string, Entry>(),
    };
    this.#roots.set(key, known);
    return known;
  }

  #namesOf(path: string): string[] {
    const plain = this.#plain(path);
    return plain
      .slice(this.path.parse(plain).root.length)
      .split(this.path === win32 ? /[\\/]/ : '/')
      .filter((name) => name !== '');
  }
}
