/** Writes the job's tree as commits: checkpoint, restore, and the one commit per feature. */
import type { GitPort, JobTree, TooLarge } from '../../../../engine/job/gitPorts.ts';
import type { Clock } from '../../../../shared/clock.ts';
import { rm } from '../../../platform/heldFiles.ts';
import { ownCommit, storeObjects } from '../../looseObjects.ts';
import { jobBranchRef, objectId } from '../../names.ts';
import { type Extras, type GitLocation, gitFailure, type RunGit } from '../../runGit.ts';
import type { SizeLimits } from '../../user/sides.ts';
import { locationOf, ownFile, requireClone, requireCommits, type WorkTreeLocation } from '../jobTree.ts';
import { withoutState } from '../stateNames.ts';
import { IndexStates } from './indexState.ts';
import { KnownChanges } from './knownChange.ts';
import { openUp, PATIENCE_MS, removeEndless, stage } from './stage.ts';

/** The tree of each commit that this process made or read. A commit's id determines its tree, so an entry is never stale. */
const trees = new Map<string, string>();
const MAX_REMEMBERED = 1_000;

function remember(commit: string, tree: string): void {
  if (trees.size >= MAX_REMEMBERED) trees.clear();
  trees.set(commit, tree);
}

export interface CommitRequest {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** Creates a commit object on no branch. */
export async function commitTree(git: RunGit, place: GitLocation, request: CommitRequest): Promise<string> {
  const parents = request.parents.flatMap((parent) => ['-p', objectId(parent)]);
  const text = request.message.replaceAll('\0', '').trim();
  const input = `${text === '' ? '(no message)' : text}\n`;
  const commit = (
    await git.ok(place, ['commit-tree', ...parents, '-F', '-', objectId(request.tree)], { input })
  ).trim();
  remember(commit, request.tree);
  return commit;
}

/** The id of a commit's tree. `commit` is a full object id. */
export async function treeIdOf(git: RunGit, place: GitLocation, commit: string): Promise<string> {
  const known = trees.get(objectId(commit));
  if (known !== undefined) return known;
  const tree = (await git.ok(place, ['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`])).trim();
  remember(commit, tree);
  return tree;
}

/** Sets the tree to the commit; ignored files stay. */
export async function restoreTree(git: RunGit, tree: JobTree, commit: string): Promise<void> {
  const place = await requireClone(tree);
  const reset = ['read-tree', '--reset', '-u', objectId(commit)];
  const clean = ['clean', '-ffdq'];
  const tidy = async (within: Extras) => {
    const answer = await git.run(place, reset, within);
    if (answer.code !== 0) return { args: reset, answer };
    return { args: clean, answer: await git.run(place, clean, within) };
  };
  let last = await tidy({ patienceMs: PATIENCE_MS });
  if (last.answer.code !== 0 || last.answer.stderr !== '') {
    // a lock or half an index of a killed process, read-only folders, or a pipe: start without an index
    if (last.answer.late) await removeEndless(tree.workTree);
    await Promise.all(['index', 'index.lock'].map((name) => rm(ownFile(tree, name), { force: true })));
    await openUp(tree.workTree);
    last = await tidy({});
  }
  if (last.answer.code !== 0) throw gitFailure(last.args, last.answer);
}

/** See GitPort.advance. */
async function advance(git: RunGit, tree: JobTree, { from, to }: Parameters<GitPort['advance']>[1]): Promise<void> {
  const place = await requireCommits(tree);
  const ref = jobBranchRef(tree.branch);
  const move = ['update-ref', ref, objectId(to)];
  const answer = await git.run(place, [...move, objectId(from)]);
  if (answer.code === 0) return;
  // The log decides which commits count. Only a branch that moves between these two commands has another writer.
  const found = (await git.ok(place, ['rev-parse', '--verify', '--end-of-options', ref])).trim();
  if (found !== to) await git.ok(place, [...move, objectId(found)]);
}

export interface TreeReports {
  /** Called for nested repositories, whose files were staged as ordinary ones. */
  nested(tree: JobTree, paths: readonly string[]): void;
  /** Called for state of Autonomous, which was left out. */
  leftOut(tree: JobTree, paths: readonly string[]): void;
}

export function createTreeOperations(
  git: RunGit,
  report: TreeReports,
  limits: SizeLimits | undefined,
  clock: Clock,
): Pick<GitPort, 'checkpoint' | 'commit' | 'advance' | 'contains' | 'restore' | 'tooLarge'> {
  const changes = new KnownChanges(git, limits);
  const indexes = new IndexStates(git);
  /** Files left out by the last check of a work tree. */
  const large = new Map<string, readonly TooLarge[]>();
  /** `before`: the tree whose state of Autonomous is kept. */
  async function treeAsItLies(tree: JobTree, place: WorkTreeLocation, before: string): Promise<string> {
    await indexes.synced(tree, null);
    const { nested, tooLarge } = await stage(git, place, 'take', limits);
    large.set(tree.workTree, tooLarge);
    if (nested.length > 0) report.nested(tree, nested);
    const now = (await git.ok(place, ['write-tree'])).trim();
    const taken = await withoutState(git, place, before, now);
    if (taken.left.length > 0) report.leftOut(tree, taken.left);
    await indexes.synced(tree, taken.tree);
    return taken.tree;
  }

  async function commitIfChanged(
    tree: JobTree,
    parent: string,
    message: string,
    of: string | null = null,
  ): Promise<string | null> {
    const place = await requireClone(tree);
    const before = await treeIdOf(git, place, parent);
    const now = of === null ? await treeAsItLies(tree, place, before) : await treeIdOf(git, place, of);
    if (now === before) return null;
    return commitTree(git, place, { tree: now, parents: [parent], message });
  }

  /** Uses one listing of git, or none if the changes are known. Returns null if git must read the files. */
  async function knownCheckpoint(
    tree: JobTree,
    last: string,
    changed: readonly string[] | null,
  ): Promise<string | null> {
    const before = await treeIdOf(git, await requireClone(tree), last);
    const listed =
      changed === null ? await indexes.differing(tree, before) : { paths: changed, added: new Set<string>() };
    const known = listed === null ? null : await changes.tree(tree, before, listed.paths, listed.added);
    if (listed === null || known === null) return null;
    const content = { tree: known.tree, parents: [last], message: 'Checkpoint\n' };
    const commit = known.tree === before ? null : ownCommit(content, clock.now());
    const stored = commit === null ? null : storeObjects(tree.gitDir, [...known.objects, commit]);
    // Both must settle, so that nothing writes after a failure.
    const [taken, kept] = await Promise.allSettled([known.isTaken(), stored]);
    if (kept.status === 'rejected') throw kept.reason;
    if (taken.status === 'rejected') throw taken.reason;
    if (!taken.value) return null;
    indexes.moved(tree, before, known.tree, listed.paths);
    const left = changed === null ? [] : (large.get(tree.workTree) ?? []);
    large.set(
      tree.workTree,
      left.filter(({ path }) => !listed.paths.includes(path)),
    );
    if (commit === null) return last;
    remember(commit.id, known.tree);
    return commit.id;
  }

  return {
    async checkpoint(tree, last, changed = null) {
      return (await knownCheckpoint(tree, last, changed)) ?? (await commitIfChanged(tree, last, 'Checkpoint')) ?? last;
    },
    commit: (tree, { parent, message, of }) => commitIfChanged(tree, parent, message, of),
    advance: (tree, move) => advance(git, tree, move),
    async contains(tree, commit, others) {
      const args = ['rev-list', '--max-count=1', '--end-of-options', ...others.map(objectId), `^${objectId(commit)}`];
      return (await git.ok(await requireCommits(tree), args)).trim() === '';
    },
    tooLarge: (tree) => large.get(tree.workTree) ?? [],
    async restore(tree, commit) {
      await indexes.synced(tree, null);
      await restoreTree(git, tree, commit);
      await indexes.synced(tree, await treeIdOf(git, locationOf(tree), commit));
      large.delete(tree.workTree);
    },
  };
}
