/**
 * Builds a tree with a few known changes, without git's index: the files that a session's tools wrote. Anything that
 * git must decide (ignored names, line ends, sizes, links, names of other file systems) is left to git: then there is
 * no result.
 */
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isGitName, isStateName } from '../../../../core/guard/hiddenNames.ts';
import { SIZE_LIMITS } from '../../../../core/repository/tooLarge.ts';
import type { JobTree } from '../../../../engine/job/gitPorts.ts';
import { platform } from '../../../platform/platform.ts';
import { OWN_CORE } from '../../gitDirectory.ts';
import { type MadeObject, madeObject } from '../../looseObjects.ts';
import { splitZ, treeLine } from '../../names.ts';
import type { GitLocation, RunGit } from '../../runGit.ts';
import type { SizeLimits } from '../../user/sides.ts';
import { locationOf, requireCommits, type WorkTreeLocation } from '../jobTree.ts';
import { PATIENCE_MS } from './stage.ts';
import { SMALL_BYTES } from './tooLarge.ts';

interface Entry {
  readonly mode: string;
  readonly id: string;
  /** Size of a blob; 0 for anything else. */
  readonly bytes: number;
}
type Entries = ReadonlyMap<string, Entry>;

/** Larger changes are left to git. */
const MAX_PATHS = 50;
const MAX_TREES = 2_000;
/** Characters that every file system encodes alike. */
const PLAIN_PATH = /^[\x20-\x7e]+$/;
const FILE = '100644';
const PROGRAM = '100755';
const FOLDER = '40000';
const LINE_END = 13;
/** On such a file system, a new name may be another spelling of an existing one. */
const IGNORES_CASE = OWN_CORE['ignorecase'] === 'true';

export interface KnownChange {
  readonly tree: string;
  /** Objects of the tree that may not be stored yet, in the order of `storeObjects`. */
  readonly objects: readonly MadeObject[];
  /**
   * Asks git whether it accepts the new files. If not, the tree does not count. Can run while the objects are stored.
   */
  readonly isTaken: () => Promise<boolean>;
}

interface File {
  readonly names: readonly string[];
  readonly mode: string;
  readonly object: MadeObject;
  readonly bytes: number;
}

/** Remembers `entries` of trees: a session changes the same folders repeatedly. */
export class KnownChanges {
  readonly #git: RunGit;
  readonly #trees = new Map<string, Entries>();

  /** Total size, before and after: larger changes are left to `sizeUp`. */
  readonly #maxBytes: number;

  constructor(git: RunGit, { fileBytes, changeBytes }: SizeLimits = SIZE_LIMITS) {
    this.#git = git;
    this.#maxBytes = Math.min(SMALL_BYTES, fileBytes, changeBytes);
  }

  /** The tree `before` with the current files. Null if git must compute it. `taken`: new files that git is known to accept. */
  async tree(
    job: JobTree,
    before: string,
    paths: readonly string[],
    taken: ReadonlySet<string> = new Set(),
  ): Promise<KnownChange | null> {
    const all = [...new Set(paths)];
    if (all.length > MAX_PATHS || !all.every(isPlain)) return null;
    const [commits, place] = [await requireCommits(job), locationOf(job)];
    let bytes = 0;
    const files: File[] = [];
    const added: string[] = [];
    for (const path of all) {
      const names = path.split('/');
      const known = await this.#entryAt(commits, before, names);
      if (known === 'odd') return null;
      const file = await fileAt(place.workTree, names, known, { idLength: before.length, maxBytes: this.#maxBytes });
      if (file === null) return null;
      bytes += Math.max(known?.bytes ?? 0, file.bytes);
      if (bytes >= this.#maxBytes) return null;
      if (known === null && !taken.has(path)) added.push(path);
      if (known === null && IGNORES_CASE) return null;
      files.push(file);
    }
    const isTaken = async (): Promise<boolean> => added.length === 0 || this.#areTaken(place, added);
    const objects: MadeObject[] = files.map(({ object }) => object);
    const tree = await this.#changed(commits, before, files, objects, before.length);
    return tree === null ? null : { tree, objects, isTaken };
  }

  /** The file that a tree has at a path, or null. `odd`: a folder, a link, or a file that only git may handle. */
  async #entryAt(place: GitLocation, tree: string, names: readonly string[]): Promise<Entry | null | 'odd'> {
    let at = tree;
    for (const [depth, name] of names.entries()) {
      const entries = await this.#entries(place, at);
      if (entries === null) return 'odd';
      const entry = entries.get(name);
      const isLast = depth === names.length - 1;
      if (entry === undefined) return null;
      if (isLast) return entry.mode === FILE || entry.mode === PROGRAM ? entry : 'odd';
      if (entry.mode !== FOLDER) return 'odd';
      at = entry.id;
    }
    return 'odd';
  }

  /** Returns null if a name is not UTF-8. */
  async #entries(place: GitLocation, tree: string): Promise<Entries | null> {
    const known = this.#trees.get(tree);
    if (known !== undefined) return known;
    const lines = splitZ(await this.#git.ok(place, ['ls-tree', '-z', '-l', '--full-tree', tree]));
    const entries = new Map<string, Entry>();
    for (const line of lines) {
      const { mode, id, bytes, path } = treeLine(line);
      entries.set(path, { mode: mode.replace(/^0/, ''), id, bytes });
    }
    if ([...entries.keys()].some((name) => name.includes('\ufffd'))) return null;
    this.#remember(tree, entries);
    return entries;
  }

  #remember(tree: string, entries: Entries): void {
    if (this.#trees.size >= MAX_TREES) this.#trees.clear();
    this.#trees.set(tree, entries);
  }

  /**
   * Whether git accepts all of these new files. Git leaves out a file that is ignored, indexed already, or in a nested
   * repository.
   */
  async #areTaken(place: WorkTreeLocation, paths: readonly string[]): Promise<boolean> {
    const list = ['ls-files', '-z', '--others', '--exclude-standard', '--', ...paths];
    const answer = await this.#git.run(place, list, { patienceMs: PATIENCE_MS });
    const taken = new Set(splitZ(answer.stdout));
    return answer.code === 0 && answer.stderr === '' && paths.every((path) => taken.has(path));
  }

  /** Returns the id of a tree with these files, or null if a name is not UTF-8. Adds the new objects to `objects`. */
  async #changed(
    place: GitLocation,
    tree: string | null,
    files: readonly File[],
    objects: MadeObject[],
    idLength: number,
  ): Promise<string | null> {
    const before = tree === null ? new Map<string, Entry>() : await this.#entries(place, tree);
    if (before === null) return null;
    const entries = new Map(before);
    const below = new Map<string, File[]>();
    for (const file of files) {
      const [name = '', ...rest] = file.names;
      if (rest.length === 0) {
        entries.set(name, { mode: file.mode, id: file.object.id, bytes: file.bytes });
      } else below.set(name, [...(below.get(name) ?? []), { ...file, names: rest }]);
    }
    for (const [name, inside] of below) {
      const id = await this.#changed(place, before.get(name)?.id ?? null, inside, objects, idLength);
      if (id === null) return null;
      entries.set(name, { mode: FOLDER, id, bytes: 0 });
    }
    const object = madeObject('tree', treeContent(entries), idLength);
    objects.push(object);
    this.#remember(object.id, entries);
    return object.id;
  }
}

function isPlain(path: string): boolean {
  const names = path.split('/');
  const isOrdinary = names.every((name) => name !== '' && name !== '.' && name !== '..' && !/^\.git/i.test(name));
  const isOwn = names.some((name) => isGitName(name) || isStateName(name));
  return isOrdinary && PLAIN_PATH.test(path) && !path.includes('\\') && !isOwn;
}

/** Returns null for anything but a plain file below plain folders: git decides about the rest. */
async function fileAt(
  root: string,
  names: readonly string[],
  known: Entry | null,
  { idLength, maxBytes }: { readonly idLength: number; readonly maxBytes: number },
): Promise<File | null> {
  const path = join(root, ...names);
  for (let depth = 1; depth < names.length; depth++) {
    const folder = await lstat(join(root, ...names.slice(0, depth))).catch(() => null);
    if (folder?.isDirectory() !== true) return null;
  }
  const stat = await lstat(path).catch(() => null);
  if (stat?.isFile() !== true || stat.size > maxBytes) return null;
  const content = await readFile(path).catch(() => null);
  // Attributes may require other line ends in a commit.
  if (content === null || content.length > maxBytes || content.includes(LINE_END)) return null;
  const isProgram = platform.hasModes ? (stat.mode & 0o100) !== 0 : known?.mode === PROGRAM;
  const object = madeObject('blob', content, idLength);
  return { names, mode: isProgram ? PROGRAM : FILE, object, bytes: content.length };
}

/** In git's order: a folder counts as its name with a slash. */
function treeContent(entries: Entries): Buffer {
  const key = ([name, { mode }]: readonly [string, Entry]): Buffer => Buffer.from(mode === FOLDER ? `${name}/` : name);
  const sorted = [...entries].map((entry) => ({ entry, key: key(entry) })).sort((a, b) => Buffer.compare(a.key, b.key));
  return Buffer.concat(
    sorted.flatMap(({ entry: [name, { mode, id }] }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
  );
}
