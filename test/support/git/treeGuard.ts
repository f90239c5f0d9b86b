/**
 * R10, over every end-to-end test: whatever the user has lying in his working tree, dirty, staged, untracked or ignored, is there
 * afterwards as it was. Only files that were clean may be others, and only those that the commit checked out now holds.
 */
import { plainGit } from './gitFixture.ts';
import { snapshotOf } from './snapshotOf.ts';

interface Seen {
  readonly files: Readonly<Record<string, string>>;
  readonly head: string;
  /** What git calls changed in the index. */
  readonly staged: string;
  /** Paths that are not just as the commit has them. */
  readonly precious: ReadonlySet<string>;
}

export class TreeGuard {
  readonly #repo: string;
  #before: Seen;
  readonly #mine = new Set<string>();

  /** `clean`: the commit that the tree is known to be; null: that is looked up. */
  constructor(repo: string, clean: string | null = null) {
    this.#repo = repo;
    this.#before = clean === null ? look(repo) : { files: filesOf(repo), head: clean, precious: new Set(), staged: '' };
  }

  /** The person changed these files himself. */
  mine(...paths: readonly string[]): void {
    for (const path of paths) this.#mine.add(path);
  }

  /** The user changed something with git: guards everything as it is now. Returns the commit that is checked out. */
  renew(): string {
    this.#before = look(this.#repo);
    this.#mine.clear();
    return this.#before.head;
  }

  /** Throws with each file that something else than the person changed. */
  check(): void {
    const files = filesOf(this.#repo);
    const paths = [...new Set([...Object.keys(this.#before.files), ...Object.keys(files)])].filter(
      (path) => this.#before.files[path] !== files[path] && !this.#mine.has(path) && !path.endsWith('/'),
    );
    const unlike = paths.length === 0 ? [] : this.#notOfTheCommit(paths);
    const staged = stagedIn(this.#repo, [...this.#before.precious]);
    if (staged !== this.#before.staged && this.#mine.size === 0) unlike.push('(what is staged)');
    if (unlike.length > 0) throw new Error(`of the user's working tree was changed: ${unlike.join(', ')}`);
  }

  #notOfTheCommit(paths: readonly string[]): string[] {
    const { head, precious } = this.#before;
    const now = statusOf(this.#repo);
    const moved = now.head !== head;
    return paths.filter((path) => !moved || precious.has(path) || now.unclean.has(path));
  }
}

/** Of our own folder. */
const isOurs = (path: string): boolean => path === '.autonomous' || path.startsWith('.autonomous/');

/** What lies in it, but for our folder: content, mode, link. */
export function filesOf(repo: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(snapshotOf(repo)).filter(([path]) => !isOurs(path)));
}

/** The commit's own changes of the index are not the person's: only what he staged is compared. */
const stagedIn = (repo: string, paths: readonly string[]): string =>
  paths.length === 0 ? '' : plainGit(repo, ['ls-files', '-s', '-z', '--', ...paths]);

interface Status {
  readonly head: string;
  /** Paths that are not as the commit has them, ignored files included, with the entries of the index as `ls-files -s -z` prints them. */
  readonly unclean: ReadonlyMap<string, string>;
}

/** All by one git process: a test looks after each change of the person. */
function statusOf(repo: string): Status {
  const options = ['--porcelain=v2', '--branch', '-z', '--no-renames', '--untracked-files=all', '--ignored'];
  const lines = plainGit(repo, ['--no-optional-locks', 'status', ...options]).split('\0');
  const head = lines.find((line) => line.startsWith('# branch.oid ')) ?? '';
  const entries = lines.filter((line) => line !== '' && !line.startsWith('# '));
  return { head: head.slice('# branch.oid '.length), unclean: new Map(entries.map(entryOf)) };
}

/** git-status(1): the path is the last field; of one that is not tracked, the only one. */
function entryOf(line: string): [string, string] {
  const [kind] = line;
  if (kind === '?' || kind === '!') return [line.slice(2), ''];
  const fields = line.split(' ');
  const path = fields.slice(kind === 'u' ? 10 : 8).join(' ');
  const [modes, ids] = kind === 'u' ? [fields.slice(3, 6), fields.slice(7, 10)] : [[fields[4]], [fields[7]]];
  const staged = modes.flatMap((mode, index) =>
    mode === '000000' ? [] : [`${mode} ${ids[index]} ${kind === 'u' ? index + 1 : 0}\t${path}\0`],
  );
  return [path, staged.join('')];
}

function look(repo: string): Seen {
  const { head, unclean } = statusOf(repo);
  const precious = [...unclean].filter(([path]) => !isOurs(path));
  const staged = precious.map(([, entries]) => entries).join('');
  return { files: filesOf(repo), head, precious: new Set(precious.map(([path]) => path)), staged };
}
