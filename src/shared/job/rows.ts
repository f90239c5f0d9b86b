/**
 * The rows of the state: plain data that crosses every boundary. Column names are those of the tables; seed 003's
 * columns keep their names. Times are ISO 8601 UTC strings, money is integer micro-USD, ids are given in events.
 */

import type { Executors } from '../agent/executorSchemas.ts';
import type { Efforts } from '../model/effort.ts';
import type { ProviderName } from '../model/models.ts';
import type { Terms } from '../model/terms.ts';
import type { UnpricedLimits } from '../money.ts';
import type { Ladders, Route, Routing } from '../routing.ts';
import type { WorkTime } from '../session.ts';
import type { Wait } from '../waiting.ts';
import type { Evidence, ResultChecks } from './evidence.ts';
import type { TodoItem } from './todo.ts';

export const JOB_STATUSES = [
  'planning',
  'running',
  'awaiting_steward',
  'paused',
  'waiting',
  'completed',
  'failed',
  'cancelled',
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const PHASE_STATUSES = ['pending', 'executing', 'reviewing', 'completed', 'failed'] as const;
export type PhaseStatus = (typeof PHASE_STATUSES)[number];

export const FEATURE_STATUSES = ['pending', 'in_progress', 'completed', 'failed'] as const;
export type FeatureStatus = (typeof FEATURE_STATUSES)[number];

/**
 * `interrupted`: the end of its process, a pause or a return from the merge queue interrupted it, and it can be resumed. `queued`: it
 * passed, and waits for its merge into the job's branch. All others but `running` are final.
 */
export const ATTEMPT_STATUSES = [
  'running',
  'interrupted',
  'queued',
  'succeeded',
  'failed',
  'stuck',
  'blocked',
  'abandoned',
] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** Ceiling of `JobOptions.lanes`. */
export const MAX_LANES = 16;

export const GATES = ['plan', 'phase', 'merge'] as const;
export type Gate = (typeof GATES)[number];

export const MERGE_MODES = ['merge', 'branch', 'patch'] as const;
export type MergeMode = (typeof MERGE_MODES)[number];

/** The author of a job's commits. */
export const COMMIT_AUTHORS = ['user', 'autonomous'] as const;
export type CommitAuthor = (typeof COMMIT_AUTHORS)[number];

/** Everything a user chose when filing the brief. Limits are micro-USD; null means no limit of this kind. */
export interface JobOptions {
  readonly gates: readonly Gate[];
  readonly mergeMode: MergeMode;
  /** Answers the models that are named without a connection. */
  readonly provider: ProviderName;
  /** Absolute path of a scenario file, only for `simulated`. Null for the generic scenario. */
  readonly scenario: string | null;
  readonly models: Readonly<Record<'planner' | 'worker' | 'reviewer' | 'summarizer', string>>;
  readonly effort?: Efforts;
  /** Whether the built-in agent's sessions start with a model of their role's ladder. Defaults to `off`. */
  readonly routing?: Routing;
  readonly ladders?: Ladders;
  /** Executors by role. A role without an entry has the built-in agent. */
  readonly executors?: Executors;
  /** Null if the commands are detected from lock files. */
  readonly setup: readonly string[] | null;
  readonly budgetMicroUsd: number | null;
  /** Prices and windows of the models of the user's connections, as they were when the brief was filed. */
  readonly terms?: Terms;
  /** Over the whole job, for models without a price; such a job cannot be filed without. */
  readonly unpricedLimits?: UnpricedLimits;
  readonly attempt: AttemptLimits;
  readonly maxPhaseAttempts: number;
  readonly maxRetries: number;
  /** Features that one worker conversation may take in a row; 1 is fresh each time. */
  readonly batch: number;
  /** Whether another attempt at a feature continues the conversation of the last one. Defaults to `continue`. */
  readonly conversation?: ConversationMode;
  readonly reviewEachFeature: boolean;
  /** Number of features that are worked on at the same time. Defaults to 1. */
  readonly lanes?: number;
  /** Defaults to the user. */
  readonly commitAuthor?: CommitAuthor;
  /** Exact argv lists that may run when there is no sandbox. */
  readonly allowedCommands: readonly (readonly string[])[];
}

/** `continue`: while that is cheaper than a new conversation, see `core/job/history/conversationChoice.ts`. */
export const CONVERSATION_MODES = ['continue', 'fresh'] as const;
export type ConversationMode = (typeof CONVERSATION_MODES)[number];

/** Ceilings of one attempt. `tokens` counts input (cache reads included) and output of all its calls. */
export interface AttemptLimits {
  readonly turns: number;
  readonly tokens: number;
  readonly seconds: number;
  readonly microUsd: number;
}

/** The machine as commands of a job see it, at the time when its clone was created. */
export interface MachineFacts {
  readonly sandboxed: boolean;
  /** Empty if no command could run to detect it. */
  readonly os: string;
  /** The shell of commands, e.g. `bash 5.2`. */
  readonly shell: string;
  readonly tools: readonly { readonly name: string; readonly version: string | null }[];
}

/** Dependencies that no setup command installs. */
export interface SetupGap {
  /** The file that names them. */
  readonly manifest: string;
  /** A command that would install them. */
  readonly command: string;
}

/** Files that a setup created or changed and that git does not ignore: they are removed afterwards, in the clone and in fresh checkouts. */
export interface SetupRemoved {
  /** Relative to the top folder. Folders end with a slash. */
  readonly paths: readonly string[];
  /** Number of paths that are not listed. */
  readonly more: number;
}

export interface SetupRun {
  readonly command: string;
  /** Null if the command was terminated. */
  readonly exitCode: number | null;
}

/** Commits that a branch gained, without merges. */
export interface GainedCommits {
  readonly count: number;
  /** Subjects of the newest commits, newest first. */
  readonly subjects: readonly string[];
}

/** A merge of the moved base branch into the job's branch. */
export interface BaseMerge {
  /** Commit of the base branch. */
  readonly base: string;
  /** Tip of the job's branch before the merge. */
  readonly onto: string | null;
  /** The merge commit on the job's branch. */
  readonly head: string;
  /** Null if it is not known which commits the base branch gained. */
  readonly gained: GainedCommits | null;
}

export interface JobRow {
  readonly id: string;
  readonly project_id: string;
  readonly title: string;
  readonly brief: string;
  /** Top folder of the repository that the job works on. Null for the workspace's. */
  readonly repository: string | null;
  readonly status: JobStatus;
  /** The reason for the status, shown to a person: why the job is waiting, has failed or was paused. */
  readonly reason: string | null;
  readonly wake_at: string | null;
  /** The cause for which a model call of the job is waiting. Null if no call is waiting. */
  readonly wait: Wait | null;
  readonly options: JobOptions;
  readonly job_dir: string;
  /** Absolute path of the clone's work tree. Null until it is created. */
  readonly clone_dir: string | null;
  /** Commit of the user's repository that the work starts from. */
  readonly baseline: string | null;
  /** Branch that was checked out when the brief was filed, without `refs/heads/`. Null for a detached HEAD. */
  readonly base_branch: string | null;
  /** Set when the baseline is a snapshot commit of a dirty tree. */
  readonly snapshot: boolean;
  /** `autonomous/<job>`. */
  readonly branch: string;
  /** Tip of the job's branch in the private git directory: the last commit that counts. */
  readonly head: string | null;
  readonly setup_done: boolean;
  /** Null if an older version made the clone. */
  readonly machine: MachineFacts | null;
  /** The setup commands that ran in the clone, in order. Null if none ran yet, or if an older version ran them. */
  readonly setup_ran: readonly SetupRun[] | null;
  /** Setup commands beside those of the brief or of lock files: of an accepted plan, or added by the steward. */
  readonly setup_added: readonly string[];
  /** Dependencies that no setup command installed when the setup ended. Null if there are none. */
  readonly setup_gap: SetupGap | null;
  /** Null if nothing was removed after the setup. */
  readonly setup_removed: SetupRemoved | null;
  /** 0 until a plan was proposed. */
  readonly plan_version: number;
  readonly plan_accepted: boolean;
  /** Feedback of a rejected plan, for the next planner session. */
  readonly plan_feedback: string | null;
  readonly planner_tries: number;
  /** Results of the verify commands before any work. Null if they did not run yet, empty if they could not run. */
  readonly baseline_checks: readonly Evidence[] | null;
  /** The last run of the verify commands on the result as a whole. Null if there was none, or if an older version ran it. */
  readonly result_checks: ResultChecks | null;
  /** Merges of the moved base branch, oldest first. */
  readonly base_merges: readonly BaseMerge[];
  /** Tip of the job's branch when every verify command last passed on it. Null if they never did, or if an older version ran them. */
  readonly result_passed: string | null;
  /** Verify commands that failed on the result as a whole since all passed, one entry for each failure. */
  readonly result_failed: readonly string[];
  /**
   * Commit at which every verify command of the plan passed, or which the steward accepted although one failed. Null if the commands did not run
   * since the head moved.
   */
  readonly verified: string | null;
  /** A merge is in progress: refs may have moved already, so the job can no longer be cancelled. */
  readonly merging: boolean;
  readonly merge: MergeResult | null;
  readonly created_at: string;
  readonly ended_at: string | null;
}

export interface MergeResult {
  readonly mode: MergeMode;
  /** Result branch, or absolute path of the patch file. */
  readonly target: string;
  /** Merge commit; null for a patch. */
  readonly commit: string | null;
  /** The target's commit before the merge. A rollback is offered while the target has not moved since. */
  readonly previous: string | null;
  /** Whether the user's checked-out tree was moved forward. */
  readonly checkedOut: boolean;
  readonly rolledBack: boolean;
  readonly note: string | null;
}

export interface PlanRow {
  /** `<job>#<version>` */
  readonly id: string;
  readonly job_id: string;
  readonly version: number;
  readonly plan: import('./plan.ts').Plan;
  readonly by: 'planner' | 'steward' | 'backlog';
  readonly at: string;
}

export interface PhaseRow {
  readonly id: number;
  readonly job_id: string;
  readonly number: number;
  readonly title: string;
  readonly objective: string;
  readonly acceptance_criteria: readonly string[];
  readonly verify_commands: readonly string[];
  readonly status: PhaseStatus;
  /** 1 for the first time through; a rejection adds one. */
  readonly attempt: number;
  readonly feedback: string | null;
  readonly summary: string | null;
  /** The attempt that the summary is of; a rejected phase is summarized again. */
  readonly summary_attempt: number;
  readonly error_message: string | null;
  /** The review attempt that counts while `reviewing`. */
  readonly review_attempt: number | null;
  /** The commit that the phase is compared with: its start, merged with the base branch if that moved later. */
  readonly base_commit: string | null;
  readonly started_at: string | null;
  readonly completed_at: string | null;
}

export interface FeatureRow {
  readonly id: number;
  readonly job_id: string | null;
  readonly phase_id: number | null;
  readonly position: number;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly testing_steps: readonly string[];
  /** Run after this feature instead of the phase's commands, which then run at the end of the phase. Empty if it has none. */
  readonly verify_commands: readonly string[];
  /** Ids of features that must be completed first. */
  readonly depends_on: readonly number[];
  /** Files or folders that it will probably change, from its plan. They can only delay its start. Empty if none are named. */
  readonly paths: readonly string[];
  readonly status: FeatureStatus;
  readonly retry_count: number;
  /** Fed to the next attempt. */
  readonly feedback: string | null;
  readonly failure_reason: string | null;
  /** Crashes in a row. */
  readonly crash_count: number;
  /** Commit that completed it. */
  readonly commit: string | null;
  /** Executors chosen for this feature alone. If there are several, each attempts it, and one result is picked. Null for the job's choice. */
  readonly executors: readonly string[] | null;
  /** Ids of the candidate attempts so far, in the order of `executors`. */
  readonly candidates: readonly number[];
  readonly created_by: 'plan' | 'review' | 'steward' | 'import';
  readonly created_at: string;
  readonly completed_at: string | null;
}

/** The size of a diff. */
export interface DiffTotals {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

export const RETURN_CAUSES = ['conflict', 'verify_failed'] as const;

/** A return from the merge queue to the attempt's conversation. It uses no retry. */
export interface AttemptReturn {
  /** `verify_failed`: merged without a conflict, but a verify command failed on the merged tree. */
  readonly cause: (typeof RETURN_CAUSES)[number];
  /** The commit that the work was based on before. Absent if an older version returned it. */
  readonly base?: string;
  /** Tip of the job's branch, on which the attempt continues. */
  readonly onto: string;
  /** Paths that conflict. Empty for `verify_failed`. */
  readonly paths: readonly string[];
  /** What the conversation is given: the other side's change of these paths, or the failed command with its output. */
  readonly detail: string;
  readonly at: string;
}

export interface AttemptRow extends WorkTime {
  readonly id: number;
  readonly job_id: string;
  readonly phase_id: number;
  /** Null for an attempt at a phase review. */
  readonly feature_id: number | null;
  readonly number: number;
  readonly status: AttemptStatus;
  readonly session_id: number;
  readonly epoch: number;
  readonly base_commit: string;
  readonly commit: string | null;
  /** The reason for the end, in a word: `done`, `verify_failed`, `no_report`, `loop`, `turns`, `same_error`, `tool_missing`, … */
  readonly cause: string | null;
  /** The worker's report, or the reviewer's reason: for people, never evidence. */
  readonly summary: string | null;
  readonly feedback: string | null;
  /** Only set for a review. */
  readonly verdict: import('./plan.ts').Verdict | null;
  readonly evidence: readonly Evidence[];
  /** Name of the diff in `.autonomous/artifacts`. */
  readonly diff: string | null;
  /** The size of `diff`. Null if there is no diff, or a version that did not count stored it. */
  readonly changed: DiffTotals | null;
  /**
   * SHA-256 of the attempt's work as it is stored in `.autonomous/attempts`. Null if it changed nothing, or did not end in a session of the engine.
   */
  readonly kept: string | null;
  /** Commit of the tree at the start: `base_commit` and the work that an earlier attempt left. Null for a review, or if unknown. */
  readonly start: string | null;
  /** Commit of the tree at the end. Null if the attempt was interrupted, or an older version ended it. */
  readonly left: string | null;
  readonly interruptions: number;
  /** The work tree that it works in: 0 is the clone. Null for a review, or if an older version started it. */
  readonly lane: number | null;
  /** When it entered the merge queue. Null if it is not in the queue. */
  readonly queued_at: string | null;
  /** Oldest first. */
  readonly returns: readonly AttemptReturn[];
  /** The worker's own to-do list. */
  readonly todo: readonly TodoItem[];
  /** The choice of its model. Null if routing did not choose, or an older version started it. */
  readonly route: Route | null;
  readonly started_at: string;
  readonly ended_at: string | null;
}
