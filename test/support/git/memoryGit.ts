/** Git without git: commits in memory over real folders, for loops whose decisions are looked at. What git itself does: test/integration/git. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CommitStyle } from '../../../src/core/job/result/commitMessage.ts';
import type { OwnCommit } from '../../../src/core/job/result/foldFixes.ts';
import type { IgnoredGroup } from '../../../src/core/repository/ignoredChanges.ts';
import type { ListedFile } from '../../../src/core/repository/repositoryFiles.ts';
import type {
  BaseMergeResult,
  Carried,
  ExecutedPlace,
  FoldedCommits,
  GitPort,
  IntegrateResult,
  JobTree,
  MergeRequest,
  RepositoryFacts,
  TooLarge,
  TreeChange,
} from '../../../src/engine/job/gitPorts.ts';
import { failure } from '../../../src/shared/errors.ts';
import type { MergeResult } from '../../../src/shared/job/rows.ts';
import type { ChangedFile } from '../../../src/shared/rule/rules.ts';

/** Paths and their content. */
type Files = Readonly<Record<string, string>>;

interface Commit {
  readonly files: Files;
  readonly parents: readonly string[];
  readonly message: string;
}

const BASE = 'main';

/** Of the user's repository, whose branch is `main`. */
export class MemoryGit implements GitPort {
  readonly #commits = new Map<string, Commit>();
  readonly #branches = new Map<string, string>();
  /** Tips of the jobs' branches, by their git directories. */
  readonly #tips = new Map<string, string>();
  readonly #setups = new Map<string, string>();
  /** Lies in the user's tree and is in no commit. */
  dirty: Files = {};
  /** What each checkpoint was told to look at; null: the whole tree. */
  readonly looked: (readonly string[] | null)[] = [];
  /** Commits that a clone's git was to be at, in order. */
  readonly followed: string[] = [];
  /** null: no branch is checked out. */
  branch: string | null = BASE;

  constructor(files: Files) {
    this.#branches.set(BASE, this.#add({ files, parents: [], message: 'Start' }));
  }

  /** A commit of the user on the branch. */
  userCommits(files: Files): string {
    return this.#onBase({ ...this.files(BASE), ...files });
  }

  userRemoves(path: string): string {
    const { [path]: _, ...left } = this.files(BASE);
    return this.#onBase(left);
  }

  /** A branch, a commit, or the second parent of one: `main^2`. */
  commitOf(name: string): string {
    const [base = '', second] = name.split('^2');
    const commit = this.#branches.get(base) ?? base;
    return second === undefined ? commit : (this.#read(commit).parents[1] ?? '');
  }

  /** First lines of the messages, newest first, by the first parents. */
  subjects(name: string): string[] {
    const { message, parents } = this.#read(this.commitOf(name));
    const [first] = parents;
    return [message.split('\n', 1)[0] ?? '', ...(first === undefined ? [] : this.subjects(first))];
  }

  messageOf(name: string): string {
    return this.#read(this.commitOf(name)).message;
  }

  files(name: string): Files {
    return this.#read(this.commitOf(name)).files;
  }

  async inspect(projectDir: string): Promise<RepositoryFacts> {
    const facts = { root: projectDir, head: this.commitOf(BASE), branch: this.branch, dirty: Object.keys(this.dirty) };
    return { ...facts, untracked: [], objections: [] };
  }

  async makeClone(tree: JobTree, { snapshot }: { readonly snapshot: boolean }) {
    const head = this.commitOf(BASE);
    const files = { ...this.#read(head).files, ...this.dirty };
    const baseline = snapshot ? this.#add({ files, parents: [head], message: 'Snapshot' }) : head;
    await this.restore(tree, baseline);
    return { baseline, head: baseline };
  }

  async requireClone({ workTree }: JobTree): Promise<void> {
    if (!existsSync(workTree)) throw failure('CLONE_MISSING', `the clone of the job is missing: ${workTree}`);
  }

  async remakeClone(tree: JobTree, { head }: { readonly head: string }): Promise<boolean> {
    if (existsSync(tree.workTree)) return false;
    await this.restore(tree, head);
    return true;
  }

  async followHead(_: JobTree, { head }: { readonly head: string }): Promise<void> {
    this.followed.push(head);
  }

  async freshCheckout(tree: JobTree, { folder, commit }: { readonly folder: string; readonly commit: string }) {
    await this.restore({ ...tree, workTree: folder }, commit);
  }

  async freshlyMade(): Promise<readonly string[]> {
    return [];
  }

  async ownCommits(_: JobTree, { baseline, head }: { readonly baseline: string; readonly head: string }) {
    const commits: OwnCommit[] = [];
    for (let id = head; id !== baseline; ) {
      const { parents, message } = this.#read(id);
      const [parent, second] = parents;
      if (parent === undefined || second !== undefined) break;
      commits.unshift({ id, message, paths: this.#changed(parent, id) });
      id = parent;
    }
    return commits;
  }

  async foldCommits(_: JobTree, { head, folds }: Parameters<GitPort['foldCommits']>[1]): Promise<FoldedCommits> {
    return { head, moved: [], apart: folds };
  }

  async unignored(): Promise<readonly string[]> {
    return [];
  }

  async markIgnored(): Promise<void> {
    // no file is ignored here
  }

  async ignoredChanges(): Promise<readonly IgnoredGroup[]> {
    return [];
  }

  async checkpoint({ workTree }: JobTree, last: string, changed: readonly string[] | null = null): Promise<string> {
    this.looked.push(changed);
    const files = filesIn(workTree);
    if (same(files, this.#read(last).files)) return last;
    return this.#add({ files, parents: [last], message: 'Checkpoint' });
  }

  tooLarge(): readonly TooLarge[] {
    return [];
  }

  async restore({ workTree }: JobTree, commit: string): Promise<void> {
    rmSync(workTree, { recursive: true, force: true });
    mkdirSync(workTree, { recursive: true });
    for (const [path, content] of Object.entries(this.#read(commit).files)) {
      mkdirSync(dirname(join(workTree, path)), { recursive: true });
      writeFileSync(join(workTree, path), content);
    }
  }

  async commit(
    { workTree }: JobTree,
    { parent, message, of }: { readonly parent: string; readonly message: string; readonly of?: string | null },
  ): Promise<string | null> {
    const files = of == null ? filesIn(workTree) : this.#read(of).files;
    return same(files, this.#read(parent).files) ? null : this.#add({ files, parents: [parent], message });
  }

  async advance(tree: JobTree, { to }: { readonly from: string; readonly to: string }): Promise<void> {
    this.#read(to);
    this.#tips.set(tree.gitDir, to);
  }

  async contains(_: JobTree, commit: string, others: readonly string[]): Promise<boolean> {
    return others.every((other) => this.#ancestors(commit).includes(other));
  }

  async treeId(_: JobTree, commit: string): Promise<string> {
    return idOf(this.#read(commit).files);
  }

  async recordedSetup({ workTree }: JobTree): Promise<string | null> {
    return this.#setups.get(workTree) ?? null;
  }

  async recordSetup({ workTree }: JobTree, setup: string): Promise<void> {
    this.#setups.set(workTree, setup);
  }

  async commitStyle(): Promise<CommitStyle> {
    return { subjects: [], isByUser: false };
  }

  async lastSubjects(_: JobTree, commit: string, count: number): Promise<readonly string[]> {
    return this.subjects(commit).slice(0, count);
  }

  async gainedCommits(_: JobTree, { from, to, max }: Parameters<GitPort['gainedCommits']>[1]) {
    const gained = [...new Set(this.#ancestors(to))].filter((one) => !this.#ancestors(from).includes(one));
    const subjects = gained.map((one) => this.#read(one).message.split('\n', 1)[0] ?? '');
    return { count: gained.length, subjects: subjects.slice(0, max) };
  }

  async diff(_: JobTree, from: string, to: string): Promise<string> {
    return this.#changed(from, to)
      .map((path) => `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n+${this.#read(to).files[path]}\n`)
      .join('');
  }

  async diffStat(_: JobTree, from: string, to: string): Promise<string> {
    return this.#changed(from, to)
      .map((path) => ` ${path} | 1 +\n`)
      .join('');
  }

  async textAt(_: JobTree, commit: string, path: string): Promise<string | null> {
    return this.#read(commit).files[path] ?? null;
  }

  async stashes(): Promise<number> {
    return 0;
  }

  async changedPaths(_: JobTree, from: string, to: string): Promise<readonly string[]> {
    return this.#changed(from, to);
  }

  async changedFiles(_: JobTree, from: string, to: string): Promise<readonly ChangedFile[]> {
    const [before, after] = [this.#read(from).files, this.#read(to).files];
    const mode = (text: string | undefined) => (text === undefined ? '000000' : '100644');
    return this.#changed(from, to).map((path) => ({
      path,
      modes: [mode(before[path]), mode(after[path])],
      lines: (after[path] ?? '').split('\n').length - 1,
    }));
  }

  async listFiles(_: JobTree, commit: string): Promise<readonly ListedFile[]> {
    const files = Object.entries(this.#read(commit).files);
    return files.map(([path, content]) => ({ path, bytes: content.length, isLink: false }));
  }

  async executedPlaces(): Promise<readonly ExecutedPlace[]> {
    return [];
  }

  async change(tree: JobTree, from: string, to: string): Promise<TreeChange> {
    return { tree: idOf(this.#read(to).files), patch: Buffer.from(await this.diff(tree, from, to)) };
  }

  async origin(_: JobTree, baseline: string, snapshot: boolean): Promise<string> {
    return snapshot ? (this.#read(baseline).parents[0] ?? baseline) : baseline;
  }

  async mergeBase(_: JobTree, { head, message }: { readonly head: string; readonly message: string }) {
    const base = this.commitOf(BASE);
    const merged = this.#merged(head, base);
    if ('conflicts' in merged)
      return { outcome: 'conflict', base, ours: head, paths: merged.conflicts } satisfies BaseMergeResult;
    const made = this.#add({ files: merged.files, parents: [head, base], message });
    return { outcome: 'clean', head: made, base } satisfies BaseMergeResult;
  }

  async carry(
    _: JobTree,
    { left, onto, base, message = 'Checkpoint' }: Parameters<GitPort['carry']>[1],
  ): Promise<Carried> {
    if (onto === base) return { commit: left, isSame: true };
    const merged = this.#merged(onto, left);
    if ('conflicts' in merged) {
      const [ours, theirs] = [this.#read(onto).files, this.#read(left).files];
      const marked = merged.conflicts.map(
        (path) =>
          [path, `<<<<<<< ${onto}\n${ours[path] ?? ''}=======\n${theirs[path] ?? ''}>>>>>>> ${left}\n`] as const,
      );
      const files = { ...ours, ...Object.fromEntries(marked) };
      return { conflicts: merged.conflicts, marked: this.#add({ files, parents: [onto], message: 'Checkpoint' }) };
    }
    const isSame = same(merged.files, this.#read(left).files);
    if (same(merged.files, this.#read(onto).files)) return { commit: onto, isSame };
    return { commit: this.#add({ files: merged.files, parents: [onto], message }), isSame };
  }

  async integrate({ tree, mode, commit, patchFile, message }: MergeRequest): Promise<IntegrateResult> {
    const previous = this.commitOf(BASE);
    const plain = { checkedOut: false, rolledBack: false, note: null };
    if (mode === 'patch')
      return { outcome: 'done', merge: { mode, target: patchFile, commit: null, previous: null, ...plain } };
    if (mode === 'branch') {
      this.#branches.set(tree.branch, commit);
      return { outcome: 'done', merge: { mode, target: tree.branch, commit, previous: null, ...plain } };
    }
    if (this.branch === null) return { outcome: 'refused', reason: 'no branch was checked out' };
    if (!this.#ancestors(commit).includes(previous)) return { outcome: 'moved', base: previous };
    if (this.#changed(previous, commit).some((path) => path in this.dirty))
      return { outcome: 'refused', reason: 'the working tree has changes where the merge has some' };
    const merged = this.#add({ files: this.#read(commit).files, parents: [previous, commit], message });
    this.#branches.set(BASE, merged);
    const merge: MergeResult = { mode, target: BASE, commit: merged, previous, ...plain, checkedOut: true };
    return { outcome: 'done', merge };
  }

  async baseTip(): Promise<string> {
    return this.commitOf(BASE);
  }

  async findMerge(): Promise<null> {
    return null;
  }

  async recoverFastForward(): Promise<null> {
    return null;
  }

  async rollBack(): Promise<never> {
    throw failure('INTERNAL', 'nothing is rolled back in memory');
  }

  #merged(head: string, other: string): { readonly files: Files } | { readonly conflicts: readonly string[] } {
    const since = this.#read(this.#ancestors(head).find((one) => this.#ancestors(other).includes(one)) ?? head).files;
    const [ours, theirs] = [this.#read(head).files, this.#read(other).files];
    const both = Object.keys({ ...ours, ...theirs });
    const conflicts = both.filter(
      (path) => ours[path] !== theirs[path] && ours[path] !== since[path] && theirs[path] !== since[path],
    );
    if (conflicts.length > 0) return { conflicts };
    const merged = both.flatMap((path) => {
      const content = ours[path] === since[path] ? theirs[path] : ours[path];
      return content === undefined ? [] : [[path, content] as const];
    });
    return { files: Object.fromEntries(merged) };
  }

  #read(commit: string): Commit {
    const found = this.#commits.get(commit);
    if (found === undefined) throw new Error(`there is no commit ${commit}`);
    return found;
  }

  #add(commit: Commit): string {
    const id = idOf(commit, String(this.#commits.size));
    this.#commits.set(id, commit);
    return id;
  }

  #onBase(files: Files): string {
    const commit = this.#add({ files, parents: [this.commitOf(BASE)], message: 'By the user' });
    this.#branches.set(BASE, commit);
    return commit;
  }

  /** With itself. */
  #ancestors(commit: string): string[] {
    return [commit, ...this.#read(commit).parents.flatMap((parent) => this.#ancestors(parent))];
  }

  #changed(from: string, to: string): string[] {
    const [before, after] = [this.#read(from).files, this.#read(to).files];
    return Object.keys({ ...before, ...after })
      .filter((path) => before[path] !== after[path])
      .sort();
  }
}

function idOf(value: unknown, more = ''): string {
  return createHash('sha1').update(JSON.stringify(value)).update(more).digest('hex');
}

function filesIn(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

function same(one: Files, other: Files): boolean {
  const paths = Object.keys({ ...one, ...other });
  return paths.every((path) => one[path] === other[path]);
}
