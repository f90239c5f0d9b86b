/** What the loop needs from outside. Implemented in `adapters/`, put together in the composition roots. */
import type { Evidence, MergeMode, MergeResult } from '../shared/domain.ts';

// --- git

/** What is known of the user's repository without changing anything in it. */
export interface RepositoryFacts {
  /** Top folder, real path. */
  readonly root: string;
  readonly head: string;
  /** Checked-out branch; null: detached. */
  readonly branch: string | null;
  /** Uncommitted paths (staged, unstaged, untracked but not ignored), at most 200 of them. */
  readonly dirty: readonly string[];
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
}

export type IntegrateResult =
  | { readonly outcome: 'done'; readonly merge: MergeResult }
  /** The base is not an ancestor of the approved commit any more: bring it in first. */
  | { readonly outcome: 'moved'; readonly base: string }
  | { readonly outcome: 'refused'; readonly reason: string };

export type BaseMergeResult =
  | { readonly outcome: 'clean'; readonly head: string; readonly base: string }
  | { readonly outcome: 'conflict'; readonly base: string; readonly ours: string; readonly paths: readonly string[] };

export interface GitPort {
  /** Throws GIT_MISSING, NOT_A_REPOSITORY, REPOSITORY_UNSUPPORTED (bare, no commit, submodules, LFS, …) with the reason. */
  inspect(projectDir: string): Promise<RepositoryFacts>;
  /**
   * Makes the private git directory and the clone. With `snapshot` the baseline is a commit of the dirty tree (tracked and
   * untracked, not ignored) on top of HEAD, made without touching the user's index or tree.
   * A half-made clone of the same folder is replaced.
   */
  makeClone(tree: JobTree, options: { readonly snapshot: boolean; readonly signal: AbortSignal }): Promise<{ readonly baseline: string; readonly head: string }>;
  /** A commit of the tree as it is now, on no branch that counts; the same commit when nothing changed since `last`. */
  checkpoint(tree: JobTree, last: string): Promise<string>;
  /** The tree becomes exactly the commit (ignored files stay). */
  restore(tree: JobTree, commit: string): Promise<void>;
  /** One commit of the tree on our branch, on top of `parent`; null when the tree equals the parent's. */
  commit(tree: JobTree, options: { readonly parent: string; readonly message: string }): Promise<string | null>;
  /** Unified diff of two commits, renames found, binary as a note; at most `maxBytes`, then a line that says what was cut. */
  diff(tree: JobTree, from: string, to: string, maxBytes: number): Promise<string>;
  diffStat(tree: JobTree, from: string, to: string): Promise<string>;
  changedPaths(tree: JobTree, from: string, to: string): Promise<readonly string[]>;
  /** Merges the user's current tip into our branch, in the private directory and the clone, never in the user's tree. */
  mergeBase(tree: JobTree, options: { readonly head: string; readonly baseBranch: string | null; readonly message: string }): Promise<BaseMergeResult>;
  /** Puts the approved commit where the user wants it, by compare-and-swap. */
  integrate(request: MergeRequest): Promise<IntegrateResult>;
  /** Commit of the base branch (or HEAD) of the user's repository now. */
  baseTip(projectDir: string, baseBranch: string | null): Promise<string>;
  /** What a merge did, read from the refs, for a start after a crash in the middle of one; null: it did not happen. */
  findMerge(request: MergeRequest): Promise<MergeResult | null>;
  /** Reverts a merge while nothing was built on it. */
  rollBack(tree: JobTree, merge: MergeResult, message: string): Promise<{ readonly outcome: 'done'; readonly commit: string } | { readonly outcome: 'refused'; readonly reason: string }>;
}

// --- commands

export type SandboxState =
  | { readonly mode: 'sandboxed'; readonly detail: string }
  /** `missing` names what to install or change, one sentence each. */
  | { readonly mode: 'unconfined'; readonly detail: string; readonly missing: readonly string[] };

export interface CommandRequest {
  /** Run by `/bin/sh -c` inside the sandbox. Without one only an exact match of `allowed` runs, without a shell. */
  readonly command: string;
  readonly cwd: string;
  /** Folders that it may write; everything else is read-only, secrets unreadable. */
  readonly writable: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly network: 'none' | 'registries';
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** argv lists that may run unconfined. */
  readonly allowed: readonly (readonly string[])[];
  /** The steward approved exactly this command text: it may run unconfined. */
  readonly approved: boolean;
  readonly signal: AbortSignal;
}

export interface CommandResult {
  readonly exitCode: number | null;
  /** null: ran to its end. `refused`: no sandbox and not allowed, nothing ran. */
  readonly ended: null | 'timeout' | 'output' | 'aborted' | 'refused' | 'failed_to_start';
  /** stdout and stderr as they came, the middle cut out when too long, control characters kept. */
  readonly output: string;
  readonly durationMs: number;
  readonly sandboxed: boolean;
}

export interface CommandRunner {
  /** Probes once by trying to escape, then remembers. */
  sandbox(): Promise<SandboxState>;
  run(request: CommandRequest): Promise<CommandResult>;
}

// --- files that are not rows

export interface Artifacts {
  /** Stores text under the hash of its content and gives the file's name. */
  put(text: string): Promise<string>;
  get(name: string): Promise<string | null>;
}

/** Evidence of one command, made by the engine from a result. */
export type MakeEvidence = (command: string, result: CommandResult, commit: string, artifact: string) => Evidence;
