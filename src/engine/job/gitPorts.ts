/** Git as the loop of a job needs it: clones, commits and merges, fresh checkouts, and the kept work of attempts. */
import type { CommitStyle } from '../../core/job/result/commitMessage.ts';
import type { Fold, OwnCommit } from '../../core/job/result/foldFixes.ts';
import type { IgnoredGroup } from '../../core/repository/ignoredChanges.ts';
import type { ListedFile } from '../../core/repository/repositoryFiles.ts';
import type { CommitAuthor, GainedCommits, MergeMode, MergeResult } from '../../shared/job/rows.ts';
import type { ChangedFile } from '../../shared/rule/rules.ts';

/** Facts about the user's repository. Reading them changes nothing in it. */
export interface RepositoryFacts {
  /** Top folder, real path. */
  readonly root: string;
  readonly head: string;
  /** Checked-out branch. Null if HEAD is detached. */
  readonly branch: string | null;
  /** Tracked paths with uncommitted changes, staged or not, at most 200 of them. */
  readonly dirty: readonly string[];
  /** Paths that git neither tracks nor ignores, at most 200 of them. A merge leaves them alone unless it adds the same path. */
  readonly untracked: readonly string[];
  /** Reasons why a merge into the checkout would be refused, whatever the result: one sentence each, with the fix. */
  readonly objections: readonly string[];
}

/** The git paths of a job. `gitDir` belongs to the engine alone and is outside of the folders that the agent can write. */
export interface JobTree {
  readonly projectDir: string;
  /** The agent's work tree, with an ordinary `.git` that we never ask. */
  readonly workTree: string;
  readonly gitDir: string;
  /** Folder of what belongs to this work tree alone, such as its index. `gitDir` if absent: the clone's. */
  readonly ownDir?: string;
  /** `autonomous/<job>` */
  readonly branch: string;
}

export interface MergeRequest {
  readonly tree: JobTree;
  readonly mode: MergeMode;
  /** The approved commit: nothing else is merged. */
  readonly commit: string;
  readonly baseBranch: string | null;
  /** Absolute path for `patch`. */
  readonly patchFile: string;
  readonly message: string;
  /** Whole lines before the first file of a patch, each with a leading `#`. Empty if there are none. */
  readonly patchNote: string;
  /** Defaults to the user. */
  readonly author?: CommitAuthor;
}

export type IntegrateResult =
  | { readonly outcome: 'done'; readonly merge: MergeResult }
  /** The base is not an ancestor of the approved commit any more: bring it in first. */
  | { readonly outcome: 'moved'; readonly base: string }
  | { readonly outcome: 'refused'; readonly reason: string };

export type BaseMergeResult =
  | { readonly outcome: 'clean'; readonly head: string; readonly base: string }
  | { readonly outcome: 'conflict'; readonly base: string; readonly ours: string; readonly paths: readonly string[] };

export interface TreeChange {
  /** Git's id of the tree that it leads to. */
  readonly tree: string;
  readonly patch: Uint8Array;
}

/** A changed file that no commit takes because of its size, or because the files that the job changed are too large together. */
export interface TooLarge {
  readonly path: string;
  readonly bytes: number;
}

/** A place in the user's tree that the user's own git runs, or reads settings from. */
export interface ExecutedPlace {
  /** Relative to the top of the tree, with slashes; its case and form may be folded. */
  readonly path: string;
  /** Whether everything below it counts too. */
  readonly isFolder: boolean;
  /** The setting that names it. */
  readonly setting: string;
}

/**
 * `isSame`: the commit has the tree of the work that was carried. `conflicts`: the paths in which both sides changed the same lines;
 * `marked`: a commit of the merge with conflict markers in them.
 */
export type Carried =
  | { readonly commit: string; readonly isSame: boolean }
  | { readonly conflicts: readonly string[]; readonly marked: string };

export interface FoldedCommits {
  /** The tip, with the same tree as before. */
  readonly head: string;
  /** The new commit for each rewritten one. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  /** Folds that conflict with the commits in between. */
  readonly apart: readonly Fold[];
}

/** The source of a clone. */
export interface CloneState {
  /** Tip of the job's commits. */
  readonly head: string;
  readonly baseline: string;
  readonly baseBranch: string | null;
  readonly snapshot: boolean;
  readonly signal: AbortSignal;
}

/** A patch of an attempt that is made again. */
export interface AgainStep {
  readonly patch: Uint8Array;
  /** The expected tree. */
  readonly tree: string;
  /** The commit message. Null if there is no commit and the next step has the same base. */
  readonly message: string | null;
}

export interface AgainRequest {
  readonly projectDir: string;
  /** Must not exist. */
  readonly branch: string;
  /** The user's commit to which the first patch applies. */
  readonly origin: string;
  readonly steps: readonly AgainStep[];
}

export interface GitPort {
  /** Throws GIT_MISSING, NOT_A_REPOSITORY, REPOSITORY_UNSUPPORTED (bare, no commit, submodules, LFS, …) with the reason. */
  inspect(projectDir: string): Promise<RepositoryFacts>;
  /**
   * Makes the private git directory and the clone. With `snapshot` the baseline is a commit of the dirty tree (tracked and
   * untracked, not ignored) on top of HEAD, made without touching the user's index or tree.
   * A half-made clone of the same folder is replaced. All commits of the job are in the name of `author`, or of the user if it is absent.
   */
  makeClone(
    tree: JobTree,
    options: { readonly snapshot: boolean; readonly author?: CommitAuthor; readonly signal: AbortSignal },
  ): Promise<{ readonly baseline: string; readonly head: string }>;
  /**
   * Restores the clone at `head` from the private git directory, if its folder is missing. Returns whether it was missing. Files
   * that git ignores are not restored. Throws CLONE_MISSING if the private git directory is missing too.
   */
  remakeClone(tree: JobTree, options: CloneState): Promise<boolean>;
  /**
   * Replaces the agent's `.git` in the clone by one whose branch, HEAD and index are at `head`. Without the force option, a no-op
   * if it was written for that commit already. The agent's objects, branches, tags and stashes are kept; files of the clone are
   * not touched. A no-op if the clone's folder is missing. No process of the agent may run.
   */
  followHead(tree: JobTree, options: CloneState & { readonly anew: boolean }): Promise<void>;
  /** Number of stashes in the clone's own `.git`: work that a model set aside, in no tree and in no commit of the job. */
  stashes(tree: JobTree): Promise<number>;
  /** Throws CLONE_MISSING if the clone or the private git directory is missing. */
  requireClone(tree: JobTree): Promise<void>;
  /**
   * Makes a folder a checkout of the commit, with an ordinary `.git`. No other content of the clone gets into it. With
   * `keepIgnored` existing ignored files stay, else the folder is created from scratch.
   */
  freshCheckout(
    tree: JobTree,
    options: {
      readonly folder: string;
      readonly commit: string;
      readonly keepIgnored: boolean;
      readonly baseline: string;
      readonly baseBranch: string | null;
      readonly snapshot: boolean;
      readonly signal: AbortSignal;
    },
  ): Promise<void>;
  /** Ignored paths in a fresh checkout; a folder that is ignored as a whole is one path with a slash at the end. */
  freshlyMade(tree: JobTree, folder: string): Promise<readonly string[]>;
  /** Files of the clone that differ from its index and that git does not ignore, as git lists them: folders end with a slash. */
  unignored(tree: JobTree): Promise<readonly string[]>;
  /** The setup that `recordSetup` recorded for this work tree since it was made. Null if there is none. */
  recordedSetup(tree: JobTree): Promise<string | null>;
  recordSetup(tree: JobTree, setup: string): Promise<void>;
  /** Records the ignored files of the clone as they are now, after its setup. */
  markIgnored(tree: JobTree): Promise<void>;
  /** Ignored files that changed since they were recorded; null if that is not known. */
  ignoredChanges(tree: JobTree): Promise<readonly IgnoredGroup[] | null>;
  /**
   * A commit of the tree as it is now, on no branch that counts; the same commit when nothing changed since `last`. `changed`: the only
   * paths that can differ from `last`, without links in them; null or absent if others can. Git is then not asked about the rest.
   */
  checkpoint(tree: JobTree, last: string, changed?: readonly string[] | null): Promise<string>;
  /** Files that the last checkpoint or commit of this tree left out because of their size. Unknown in another process: empty. */
  tooLarge(tree: JobTree): readonly TooLarge[];
  /** The tree becomes exactly the commit (ignored files stay). */
  restore(tree: JobTree, commit: string): Promise<void>;
  /**
   * One commit on top of `parent`, on no branch, with a checkpoint's tree, or without `of` with the current tree. Null if that equals
   * the parent's tree.
   */
  commit(
    tree: JobTree,
    options: { readonly parent: string; readonly message: string; readonly of?: string | null },
  ): Promise<string | null>;
  /**
   * Moves the job's branch from one commit that counts to the next, by compare-and-swap. A branch that a killed engine left elsewhere
   * is moved too, unless another process moves it at this moment: then it throws GIT_FAILED.
   */
  advance(tree: JobTree, move: { readonly from: string; readonly to: string }): Promise<void>;
  /** Whether a commit contains all these commits: each is the commit itself or an ancestor of it. */
  contains(tree: JobTree, commit: string, others: readonly string[]): Promise<boolean>;
  /** The job's commits, oldest first, from the baseline or the last merge of the base to `head`. */
  ownCommits(
    tree: JobTree,
    options: { readonly baseline: string; readonly head: string },
  ): Promise<readonly OwnCommit[]>;
  /**
   * Folds commits into earlier ones and moves our branch to the result, whose tree is that of `head`. The commits before stay readable.
   * A fold that conflicts is left out. The same folds give the same commits. No file of the clone is touched.
   */
  foldCommits(
    tree: JobTree,
    options: { readonly baseline: string; readonly head: string; readonly folds: readonly Fold[] },
  ): Promise<FoldedCommits>;
  /** The commit style of the repository. `origin` is the user's commit that the job is based on. */
  commitStyle(tree: JobTree, origin: string): Promise<CommitStyle>;
  /** Subjects of the last commits up to this one, newest first, without merges. Fewer, or none, if the history is not whole. */
  lastSubjects(tree: JobTree, commit: string, count: number): Promise<readonly string[]>;
  /** The commits of `to` that `from` does not have, without merges; null if the history is not whole. At most `max` subjects. */
  gainedCommits(
    tree: JobTree,
    options: { readonly from: string; readonly to: string; readonly max: number },
  ): Promise<GainedCommits | null>;
  /**
   * Unified diff of two commits, with renames detected and a note for binary files. At most `maxBytes`, then a line about the
   * rest. `paths`: only these; all if it is empty or absent.
   */
  diff(tree: JobTree, from: string, to: string, maxBytes: number, paths?: readonly string[]): Promise<string>;
  diffStat(tree: JobTree, from: string, to: string): Promise<string>;
  /** Text of a file in a commit. Null if the path is missing, a folder, or larger than `maxBytes`. */
  textAt(tree: JobTree, commit: string, path: string, maxBytes: number): Promise<string | null>;
  changedPaths(tree: JobTree, from: string, to: string): Promise<readonly string[]>;
  /** The same paths with their modes and numbers of lines. */
  changedFiles(tree: JobTree, from: string, to: string): Promise<readonly ChangedFile[]>;
  /** Every file of a commit, in the order of the paths. */
  listFiles(tree: JobTree, commit: string): Promise<readonly ListedFile[]>;
  /** Paths in the repository's tree that the user's git configuration executes. Nothing is run. */
  executedPlaces(projectDir: string): Promise<readonly ExecutedPlace[]>;
  /** Git's id of the tree of a commit. */
  treeId(tree: JobTree, commit: string): Promise<string>;
  /** The binary patch from one commit to another, for `git apply`. Empty if there is no difference. */
  change(tree: JobTree, from: string, to: string): Promise<TreeChange>;
  /**
   * The commit of the user's repository that equals a baseline, or the parent of a baseline that is a snapshot of the dirty tree.
   */
  origin(tree: JobTree, baseline: string, snapshot: boolean): Promise<string>;
  /**
   * The work that an attempt left on top of `base`, as one commit on top of `onto`, on no branch. Returns `onto` if that adds nothing,
   * and `left` if both are the same commit. The message is that of a checkpoint by default.
   */
  carry(
    tree: JobTree,
    options: { readonly left: string; readonly onto: string; readonly base: string; readonly message?: string },
  ): Promise<Carried>;
  /** Merges the user's current tip into the job's branch, in the private directory and the clone, never in the user's tree. */
  mergeBase(
    tree: JobTree,
    options: { readonly head: string; readonly baseBranch: string | null; readonly message: string },
  ): Promise<BaseMergeResult>;
  /** Puts the approved commit where the user wants it, by compare-and-swap. */
  integrate(request: MergeRequest): Promise<IntegrateResult>;
  /** Commit of the base branch (or HEAD) of the user's repository now. */
  baseTip(projectDir: string, baseBranch: string | null): Promise<string>;
  /**
   * The result of an earlier merge, read from the refs, after a crash in the middle of a merge. Null if the merge did not happen.
   */
  findMerge(request: MergeRequest): Promise<MergeResult | null>;
  /**
   * Finishes or undoes an interrupted move of the user's checkout, including a rollback's, and removes the engine's lock. Returns
   * a notice for the user, or null. Must not be called while another process moves this checkout.
   */
  recoverFastForward(tree: JobTree): Promise<string | null>;
  /** Reverts a merge while nothing was built on it. */
  rollBack(
    tree: JobTree,
    merge: MergeResult,
    message: string,
  ): Promise<
    { readonly outcome: 'done'; readonly commit: string } | { readonly outcome: 'refused'; readonly reason: string }
  >;
}

/** Folders of a job's fresh checkouts, below a root: `tree` and `home`, and kept dependencies that no command can reach. */
export interface FreshPlaces {
  /** Removes the tree and the home, and makes an empty home. */
  empty(root: string): Promise<void>;
  /** Removes the tree and the home. */
  remove(root: string): Promise<void>;
  /**
   * Puts the dependency folders that are kept in `deps` into the tree of a root, and the home that belongs to them. False if nothing is
   * kept under the key.
   */
  restore(deps: string, key: string, root: string): Promise<boolean>;
  /** The same for another work tree, without the home. */
  restoreInto(deps: string, key: string, tree: string): Promise<boolean>;
  /** Stores these folders of the root's tree, and its home, in `deps`, and removes the earlier copies. */
  keep(root: string, key: string, folders: readonly string[], deps: string): Promise<void>;
}

/** The work of attempts, so that it can be made again without a clone. */
export interface KeptAttempts {
  /** Replaces the saved work of the attempt durably, and returns the hash of the data. Throws DISK. */
  put(attempt: number, data: Uint8Array): Promise<string>;
  /** Returns null if no work is stored. Throws STATE_DAMAGED. */
  get(attempt: number): Promise<{ readonly data: Uint8Array; readonly hash: string } | null>;
}
