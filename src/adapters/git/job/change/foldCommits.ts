/**
 * Folds commits of a job into earlier ones. Trees are merged as by a cherry-pick, without an index or a work tree, and
 * the tip keeps its tree. The same folds create the same commits, so that they can be repeated after a kill.
 */
import { foldedMessage } from '../../../../core/job/result/commitMessage.ts';
import type { Fold, OwnCommit } from '../../../../core/job/result/foldFixes.ts';
import type { FoldedCommits, GitPort, JobTree } from '../../../../engine/job/gitPorts.ts';
import { type CommitContent, type MadeObject, madeCommit, ownCommit, storeObjects } from '../../looseObjects.ts';
import { jobBranchRef, objectId, splitZ } from '../../names.ts';
import { gitFailure, type RunGit } from '../../runGit.ts';
import { mergeTrees } from '../baseMerge.ts';
import { requireCommits } from '../jobTree.ts';

/** Number of commits that are read. Older commits are not folded. */
const MAX_COMMITS = 1_000;

interface Commit extends CommitContent {
  readonly id: string;
}

/** See GitPort.ownCommits. */
export async function ownCommits(
  git: RunGit,
  tree: JobTree,
  { baseline, head }: Parameters<GitPort['ownCommits']>[1],
): Promise<readonly OwnCommit[]> {
  const commits = await straight(git, tree, baseline, head);
  const paths = await changedPaths(git, tree, commits);
  return commits.map(({ id, message }) => ({ id, message, paths: paths.get(id) ?? [] }));
}

/** Returns the paths that each commit changes. One git process reads them all. */
async function changedPaths(git: RunGit, tree: JobTree, commits: readonly Commit[]): Promise<Map<string, string[]>> {
  const paths = new Map<string, string[]>();
  if (commits.length === 0) return paths;
  const args = ['diff-tree', '--stdin', '-r', '--raw', '--no-renames', '--no-color', '-z'];
  const input = commits.map(({ id }) => `${id}\n`).join('');
  let of: string[] = [];
  // Only an item that describes a change starts with a colon. Its path is the next item, whatever the path looks like.
  const items = splitZ(await git.ok(await requireCommits(tree), args, { input })).values();
  for (const item of items) {
    if (item.startsWith(':')) of.push(items.next().value ?? '');
    else {
      of = [];
      paths.set(item, of);
    }
  }
  return paths;
}

/** Commits from the baseline, or from the last merge, to the head. Oldest first. */
async function straight(git: RunGit, tree: JobTree, baseline: string, head: string): Promise<Commit[]> {
  const place = await requireCommits(tree);
  const list = ['rev-list', '--first-parent', `--max-count=${MAX_COMMITS}`, '--end-of-options'];
  const ids = (await git.ok(place, [...list, objectId(head), `^${objectId(baseline)}`])).split('\n').filter(Boolean);
  if (ids.length === 0) return [];
  const input = ids.map((id) => `${id}\n`).join('');
  const answer = await git.run(place, ['cat-file', '--batch'], { input, bytes: true });
  if (answer.code !== 0) throw gitFailure(['cat-file'], answer);
  const commits = parsed(answer.stdout);
  const merge = commits.findIndex((commit) => commit.parents.length !== 1);
  return (merge === -1 ? commits : commits.slice(0, merge)).toReversed();
}

/** `text`: one character per byte. */
function parsed(text: string): Commit[] {
  const commits: Commit[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const [id = '', , size = '0'] = text.slice(at, end).split(' ');
    const content = text.slice(end + 1, end + 1 + Number(size));
    at = end + 1 + Number(size) + 1;
    const gap = content.indexOf('\n\n');
    const lines = content.slice(0, gap).split('\n');
    const all = (key: string) =>
      lines.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
    const [tree = ''] = all('tree');
    const [author = ''] = all('author');
    const [committer = ''] = all('committer');
    const message = Buffer.from(content.slice(gap + 2), 'latin1').toString('utf8');
    commits.push({ id, tree, parents: all('parent'), author, committer, message });
  }
  return commits;
}

/** A commit of the new branch, with the commits that are folded into it. */
interface Entry {
  readonly members: readonly Commit[];
  readonly tree: string;
}

/** See GitPort.foldCommits. */
export async function foldCommits(
  git: RunGit,
  tree: JobTree,
  { baseline, head, folds }: Parameters<GitPort['foldCommits']>[1],
): Promise<FoldedCommits> {
  const commits = await straight(git, tree, baseline, head);
  const start = commits[0]?.parents[0] ?? head;
  const scratch = new Scratch(git, tree);
  let entries: readonly Entry[] = commits.map((commit) => ({ members: [commit], tree: commit.tree }));
  const apart: Fold[] = [];
  for (const fold of folds) {
    const folded = await withFold(scratch, entries, fold);
    if (folded === null) apart.push(fold);
    else entries = folded;
  }
  if (entries.length === commits.length) return { head, moved: [], apart };
  const made = await written(tree, entries, start);
  await git.ok(await requireCommits(tree), ['update-ref', jobBranchRef(tree.branch), made.head]);
  return { ...made, apart };
}

/** The entries with one folded into another; null if the changes conflict with those in between. */
async function withFold(
  scratch: Scratch,
  entries: readonly Entry[],
  { from, into }: Fold,
): Promise<readonly Entry[] | null> {
  const find = (id: string) => entries.findIndex((entry) => entry.members.some((member) => member.id === id));
  const [at, late] = [find(into), find(from)];
  const [first, moving] = [entries[at], entries[late]];
  if (first === undefined || moving === undefined || at >= late) return null;
  const before = entries[late - 1] ?? first;
  let ours = await scratch.picked(first.tree, { base: before.tree, theirs: moving.tree });
  if (ours === null) return null;
  const made: Entry[] = [{ members: [...first.members, ...moving.members], tree: ours }];
  for (let nth = at + 1; nth < late; nth++) {
    const [between, last] = [entries[nth], entries[nth - 1]];
    if (between === undefined || last === undefined) return null;
    ours = await scratch.picked(ours, { base: last.tree, theirs: between.tree });
    if (ours === null) return null;
    made.push({ ...between, tree: ours });
  }
  // Later commits keep their trees only if the files are the same here, byte for byte.
  if (ours !== moving.tree) return null;
  return [...entries.slice(0, at), ...made, ...entries.slice(late + 1)];
}

/** Merges trees through commits that no ref has. */
class Scratch {
  readonly #git: RunGit;
  readonly #tree: JobTree;

  constructor(git: RunGit, tree: JobTree) {
    this.#git = git;
    this.#tree = tree;
  }

  /** `ours` with the changes from `base` to `theirs`; null if they conflict. */
  async picked(
    ours: string,
    { base, theirs }: { readonly base: string; readonly theirs: string },
  ): Promise<string | null> {
    if (ours === base) return theirs;
    const root = scratchCommit(base, []);
    const [left, right] = [scratchCommit(ours, [root.id]), scratchCommit(theirs, [root.id])];
    await storeObjects(this.#tree.gitDir, [root, left, right]);
    const merged = await mergeTrees(this.#git, await requireCommits(this.#tree), left.id, right.id);
    return 'conflicts' in merged ? null : merged.tree;
  }
}

const scratchCommit = (tree: string, parents: readonly string[]): MadeObject =>
  ownCommit({ tree, parents, message: 'Fold\n' }, 0);

/** Stores the commits of the entries on top of `start`. */
async function written(
  tree: JobTree,
  entries: readonly Entry[],
  start: string,
): Promise<Pick<FoldedCommits, 'head' | 'moved'>> {
  const moved: { from: string; to: string }[] = [];
  let parent = start;
  for (const { members, tree: content } of entries) {
    const [first] = members;
    if (first === undefined) continue;
    if (members.length === 1 && first.parents[0] === parent) {
      parent = first.id;
      continue;
    }
    const message = members.length === 1 ? first.message : foldedMessage(members.map((member) => member.message));
    const object = madeCommit({ ...first, tree: content, parents: [parent], message });
    await storeObjects(tree.gitDir, [object]);
    moved.push(...members.map((member) => ({ from: member.id, to: object.id })));
    parent = object.id;
  }
  return { head: parent, moved };
}
