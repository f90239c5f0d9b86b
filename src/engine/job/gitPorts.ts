/** Git as the loop of a job needs it: clones, commits and merges, fresh checkouts, and the kept work of attempts. */
import type { CommitStyle } from '../../core/job/result/commitMessage.ts';
import type { Fold, OwnCommit } from '../../core/job/result/foldFixes.ts';
import type { IgnoredGroup } from '../../core/repository/ignoredChanges.ts';
import type { ListedFile } from '../../core/repository/repositoryFiles.ts';
import type { CommitAuthor, GainedCommits, MergeMode, MergeResult } from '../../shared/job/rows.ts';

/** What is known of the user's repository without changing anything in it. */
export interface RepositoryFacts {
  /** Top folder, real path. */
  readonly root: string;
  readonly head: string;
  /** Checked-out branch; null: detached. */
  readonly branch: string | null;
  /** Tracked paths with uncommitted changes, staged or not, at most 200 of them. */
  readonly dirty: readonly string[];
  /** Paths that git neither tracks nor ignores, at most 200 of them. A merge leaves them alone unless it adds the same path. */
  readonly untracked: readonly string[];
  /** Why a merge into the checkout would be refused, whatever the result: one sentence each, with what to do. */
  readonly objections: readonly string[];
}

/** Where a job's git things are. `gitDir` is ours alone, outside what the agent can write. */
export interface JobTree {
  readonly projectDir: string;
  /** The agent's work tree, with an ordinary `.git` that we never ask. */
  readonly workTree: string;
  readonly gitDir: string;
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
  /** Whole lines before the first file of a patch, each of which begins with `#`. Empty if there are none. */
  readonly patchNote: string;
  /** Absent: the user. */
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
  /** From the top of the tree, as git names it. */
  readonly path: string;
  /** Whether everything below it counts too. */
  readonly isFolder: boolean;
  /** The setting that names it. */
  readonly setting: string;
}

/** `conflicts`: the paths in which both sides changed the same lines. */
export type Carried = { readonly commit: string } | { readonly conflicts: readonly string[] };

export interface FoldedCommits {
  /** The tip, with the same tree as before. */
  readonly head: string;
  /** What each rewritten commit became. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  /** Folds that conflict with the commits in between. */
  readonly apart: readonly Fold[];
}

/** What a clone is made from. */
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
  /** What must come of it. */
  readonly tree: string;
  /** Of the commit; null: none is made, the next step stands on the same. */
  readonly message: string | null;
}

export interface AgainRequest {
  readonly projectDir: string;
  /** Must not be there yet. */
  readonly branch: string;
  /** Commit of the user's that the first patch stands on. */
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
   * Makes the clone again at `head`, from the private git directory, if its folder is gone. Returns whether it was gone. Files that
   * git ignores are not made again. Throws CLONE_MISSING if the private git directory is gone too.
   */
  remakeClone(tree: JobTree, options: CloneState): Promise<boolean>;
  /**
   * Replaces the clone's `.git`, the agent's, by one whose branch, HEAD and index are at `head`; a no-op if it was written for that
   * commit. With `anew` it is replaced in any case. The agent's objects, branches, tags and stashes are kept; files of the clone
   * are not touched. A no-op if the folder of the clone is gone. No process of the agent may run.
   */
  followHead(tree: JobTree, options: CloneState & { readonly anew: boolean }): Promise<void>;
  /** Number of stashes in the clone's own `.git`: work that a model set aside, in no tree and in no commit of the job. */
  stashes(tree: JobTree): Promise<number>;
  /** Throws CLONE_MISSING if the clone or the private git directory is gone. */
  requireClone(tree: JobTree): Promise<void>;
  /**
   * Makes a folder a checkout of the commit, with an ordinary `.git`. Nothing of the clone gets into it. With `keepIgnored` the ignored
   * files that are there stay, else the folder is made new.
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
   * One commit on our branch, on top of `parent`: of a checkpoint's tree, or without `of` of the tree as it lies; null
   * when it equals the parent's.
   */
  commit(
    tree: JobTree,
    options: { readonly parent: string; readonly message: string; readonly of?: string | null },
  ): Promise<string | null>;
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
  /** What the message of a commit of this job goes by: `origin` is the user's commit that the job stands on. */
  commitStyle(tree: JobTree, origin: string): Promise<CommitStyle>;
  /** Subjects of the last commits up to this one, newest first, without merges. Fewer, or none, if the history is not whole. */
  lastSubjects(tree: JobTree, commit: string, count: number): Promise<readonly string[]>;
  /** The commits of `to` that `from` does not have, without merges; null if the history is not whole. At most `max` subjects. */
  gainedCommits(
    tree: JobTree,
    options: { readonly from: string; readonly to: string; readonly max: number },
  ): Promise<GainedCommits | null>;
  /** Unified diff of two commits, renames found, binary as a note; at most `maxBytes`, then a line that says what was cut. */
  diff(tree: JobTree, from: string, to: string, maxBytes: number): Promise<string>;
  diffStat(tree: JobTree, from: string, to: string): Promise<string>;
  /** Text of a file in a commit; null: not there, a folder, or over `maxBytes`. */
  textAt(tree: JobTree, commit: string, path: string, maxBytes: number): Promise<string | null>;
  changedPaths(tree: JobTree, from: string, to: string): Promise<readonly string[]>;
  /** Every file of a commit, in the order of the paths. */
  listFiles(tree: JobTree, commit: string): Promise<readonly ListedFile[]>;
  /** What the configuration of the user's git names in the tree of the repository. Nothing is run. */
  executedPlaces(projectDir: string): Promise<readonly ExecutedPlace[]>;
  /** What leads from one commit to another, for `git apply`: byte for byte, binary files too. Empty where nothing differs. */
  change(tree: JobTree, from: string, to: string): Promise<TreeChange>;
  /** The commit of the user's repository that a baseline is, or, when it is a snapshot of the dirty tree, stands on. */
  origin(tree: JobTree, baseline: string, snapshot: boolean): Promise<string>;
  /** The work that an attempt left on top of `base`, as one commit on top of `onto`; `onto` itself where that adds nothing. */
  carry(
    tree: JobTree,
    options: { readonly left: string; readonly onto: string; readonly base: string },
  ): Promise<Carried>;
  /** Merges the user's current tip into our branch, in the private directory and the clone, never in the user's tree. */
  mergeBase(
    tree: JobTree,
    options: { readonly head: string; readonly baseBranch: string | null; readonly message: string },
  ): Promise<BaseMergeResult>;
  /** Puts the approved commit where the user wants it, by compare-and-swap. */
  integrate(request: MergeRequest): Promise<IntegrateResult>;
  /** Commit of the base branch (or HEAD) of the user's repository now. */
  baseTip(projectDir: string, baseBranch: string | null): Promise<string>;
  /** What a merge did, read from the refs, for a start after a crash in the middle of one; null: it did not happen. */
  findMerge(request: MergeRequest): Promise<MergeResult | null>;
  /**
   * Finishes or undoes a move of the user's checkout that was cut short, a roll back's too, and takes our lock off; gives what to
   * tell the user, or null. While anybody else moves for this tree it may not be called.
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
  /** Puts kept dependency folders into the tree, and the home that belongs to them. False if nothing is kept under the key. */
  restore(root: string, key: string): Promise<boolean>;
  /** Keeps these folders of the tree, and the home, in place of what was kept before. */
  keep(root: string, key: string, folders: readonly string[]): Promise<void>;
}

/** The work of attempts, so that it can be made again without a clone. */
export interface KeptAttempts {
  /** Replaces what is kept of the attempt, durably; gives the hash of the data. Throws DISK. */
  put(attempt: number, data: Uint8Array): Promise<string>;
  /** null: nothing is kept. Throws STATE_DAMAGED. */
  get(attempt: number): Promise<{ readonly data: Uint8Array; readonly hash: string } | null>;
}
