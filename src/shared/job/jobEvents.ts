/** The events of jobs, with their phases, features and attempts: a part of `events.ts`, under the same rules. */

import type { Actor } from '../actor.ts';
import type { Executors } from '../agent/executorSchemas.ts';
import type { NewApproval } from '../approval.ts';
import type { UnpricedLimits } from '../money.ts';
import type { Route } from '../routing.ts';
import type { SessionEnd } from '../session.ts';
import type { Evidence } from './evidence.ts';
import type { Plan, Verdict } from './plan.ts';
import type {
  AttemptReturn,
  AttemptStatus,
  DiffTotals,
  FeatureStatus,
  GainedCommits,
  JobOptions,
  MachineFacts,
  MergeMode,
  MergeResult,
  PlanRow,
  SetupGap,
  SetupRemoved,
} from './rows.ts';
import type { TodoItem } from './todo.ts';

/** Commits of fixes that became part of their features' commits. */
export interface FoldedFixes {
  /** The rewritten tip, with the tree of the verified commit. The old tip if nothing could be folded. */
  readonly head: string;
  /** The new commit of each rewritten commit. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  /** Reasons for which commits are kept separate, one sentence each. */
  readonly apart: readonly string[];
}

/** Ids of a plan's phases and features, in the plan's order. */
export interface PlanIds {
  readonly phases: readonly { readonly id: number; readonly features: readonly number[] }[];
}

export interface JobEventBodies {
  // --- the job
  brief_submitted: {
    readonly job: {
      readonly id: string;
      readonly project_id: string;
      readonly title: string;
      readonly brief: string;
      /** Defaults to the workspace's repository. */
      readonly repository?: string | null;
      readonly options: JobOptions;
      readonly job_dir: string;
      readonly branch: string;
      /** Ids of the features that the job takes from the backlog. Defaults to none. */
      readonly backlog?: readonly number[];
      /** The job that is filed again as this one, and the addition to its brief. Absent for a new brief. */
      readonly amends?: { readonly job_id: string; readonly addition: string };
    };
  };
  clone_made: {
    readonly job_id: string;
    readonly clone_dir: string;
    readonly baseline: string;
    readonly base_branch: string | null;
    readonly snapshot: boolean;
    readonly head: string;
    /** Absent if an older version wrote the event. */
    readonly machine?: MachineFacts;
  };
  /** The clone's folder is missing: it is created from scratch, and its setup is repeated. */
  clone_lost: { readonly job_id: string };
  setup_finished: {
    readonly job_id: string;
    readonly evidence: readonly Evidence[];
    readonly head: string;
    /** Dependencies that no setup command installs. Absent if there are none. */
    readonly gap?: SetupGap;
    /** Absent if there are no such files. */
    readonly removed?: SetupRemoved;
  };
  /** The steward added a setup command: it runs before the next work, and in each fresh checkout. */
  setup_added: { readonly job_id: string; readonly command: string; readonly by: Actor };
  /** The verify commands before any work, in a fresh checkout of the baseline. */
  baseline_checked: {
    readonly job_id: string;
    readonly evidence: readonly Evidence[];
    /** The reason why they did not run. Null if they ran. */
    readonly skipped: string | null;
    /** The question whether to start although none of the commands can pass. Absent if no question is needed. */
    readonly approval?: NewApproval;
  };
  plan_proposed: {
    readonly job_id: string;
    readonly plan_version: number;
    readonly plan: Plan;
    readonly by: PlanRow['by'];
    readonly session: SessionEnd | null;
  };
  /** A planner session returned no usable plan, or the steward rejected it: the next session gets the feedback. */
  plan_refused: {
    readonly job_id: string;
    readonly feedback: string;
    readonly by: 'engine' | 'steward';
    readonly session: SessionEnd | null;
  };
  /** The plan becomes phases and features. Rows not named in it and still pending are dropped. */
  plan_accepted: {
    readonly job_id: string;
    readonly plan_version: number;
    readonly ids: PlanIds;
    readonly by: Actor;
    /** The first accepted plan of the job: illegal if a plan was accepted before, e.g. by the job's loop. */
    readonly first?: true;
  };
  job_waiting: { readonly job_id: string; readonly reason: string; readonly wake_at: string };
  job_woken: { readonly job_id: string };
  job_awaiting: { readonly job_id: string; readonly reason: string };
  job_continued: { readonly job_id: string };
  job_paused: { readonly job_id: string; readonly reason: string; readonly by: Actor };
  job_resumed: { readonly job_id: string; readonly by: Actor };
  job_cancelled: { readonly job_id: string; readonly reason: string; readonly by: Actor };
  job_failed: { readonly job_id: string; readonly reason: string };
  job_options_changed: {
    readonly job_id: string;
    readonly budgetMicroUsd?: number | null;
    /** The budget of each attempt. */
    readonly attemptMicroUsd?: number;
    readonly mergeMode?: 'merge' | 'branch' | 'patch';
    readonly unpricedLimits?: UnpricedLimits;
    /** Roles whose executor changed. */
    readonly executors?: Executors;
    readonly lanes?: number;
    readonly by: Actor;
  };
  /** The job's branch took in the moved base; features after this start from it. */
  base_merged: {
    readonly job_id: string;
    readonly baseline: string;
    readonly head: string;
    /** Absent in older events. */
    readonly gained?: GainedCommits | null;
    /** The new commits that the started phases are compared with. Absent in older events. */
    readonly phases?: readonly { readonly phase_id: number; readonly base_commit: string }[];
  };
  /**
   * The verify commands of all phases, run on the commit that will be merged. With `feedback`, one failed: the last phase is repeated with a fix
   * feature.
   */
  result_verified: {
    readonly job_id: string;
    readonly commit: string;
    readonly evidence: readonly Evidence[];
    /** See `ResultChecks`. Absent in older events. */
    readonly base?: readonly Evidence[];
    readonly feedback: string | null;
    readonly fix_feature_id: number | null;
    /** The subject of the fix, for its name. Absent in older events, and if the feedback has no words; then the title of the phase is used. */
    readonly fix_title?: string;
    /** Absent in older events. Null if no commit had to be folded. */
    readonly folded?: FoldedFixes | null;
  };
  /** The steward accepts the commit although a verify command fails on it. */
  result_accepted: { readonly job_id: string; readonly commit: string; readonly approval_id: number };
  /** After this event the refs are the truth, until the merge has ended or completed the job. */
  merge_begun: { readonly job_id: string; readonly commit: string; readonly mode: MergeMode };
  merge_ended: { readonly job_id: string; readonly reason: string };
  /** The finished work of an ended job was merged or exported at the steward's request. */
  result_merged: { readonly job_id: string; readonly merge: MergeResult };
  /** The steward wants changes before the merge: the last phase is repeated with a fix feature. */
  merge_refused: {
    readonly job_id: string;
    readonly feedback: string;
    readonly fix_feature_id: number;
    /** As in `result_verified`. */
    readonly fix_title?: string;
  };
  job_completed: { readonly job_id: string; readonly merge: MergeResult };
  job_rolled_back: { readonly job_id: string; readonly commit: string };

  // --- phases
  phase_started: { readonly job_id: string; readonly phase_id: number; readonly base_commit: string };
  phase_summarized: {
    readonly job_id: string;
    readonly phase_id: number;
    readonly attempt: number;
    readonly summary: string;
    readonly session: SessionEnd | null;
  };
  phase_reviewing: { readonly job_id: string; readonly phase_id: number };
  phase_approved: {
    readonly job_id: string;
    readonly phase_id: number;
    readonly by: 'reviewer' | 'steward' | 'rule';
    readonly reason: string;
  };
  /** The phase is repeated, or fails with its job if its attempts are used up (the reducer counts them). */
  phase_rejected: {
    readonly job_id: string;
    readonly phase_id: number;
    readonly by: 'reviewer' | 'steward';
    readonly feedback: string;
    /** Features to reopen. Features that depend on them are pending already. */
    readonly reopen: readonly number[];
    /** Id for a fix feature if no feature is reopened. */
    readonly fix_feature_id: number | null;
    /** As in `result_verified`. */
    readonly fix_title?: string;
  };

  // --- attempts
  /** A feature (or a phase review, if `feature_id` is null) has started. */
  attempt_started: {
    readonly id: number;
    readonly job_id: string;
    readonly phase_id: number;
    readonly feature_id: number | null;
    readonly session_id: number;
    readonly base_commit: string;
    /** The tree at the start, including the work that an earlier attempt left. Absent in older events and for a review. */
    readonly start?: string | null;
    readonly notes: readonly number[];
    /** The choice of its model. Absent if routing is off. */
    readonly route?: Route;
    /** The work tree of an attempt at a feature. Absent in older events and for a review. */
    readonly lane?: number;
    /** The commit of each dependency. `base_commit` contains them all. Absent if there are none. */
    readonly integrated?: readonly { readonly feature_id: number; readonly commit: string }[];
  };
  /** Its process ended or it was paused. `crash` counts towards parking, `pause` and `unavailable` do not. */
  attempt_interrupted: {
    readonly id: number;
    readonly job_id: string;
    readonly cause: 'crash' | 'pause' | 'unavailable';
  };
  attempt_resumed: { readonly id: number; readonly job_id: string };
  /** The attempt passed on a commit that is no longer the tip of the job's branch: it waits for its merge. */
  attempt_queued: {
    readonly id: number;
    readonly job_id: string;
    readonly cause: string;
    readonly summary: string | null;
    /** On top of the attempt's `base_commit`, or that commit if nothing had to change. */
    readonly commit: string;
    readonly evidence: readonly Evidence[];
    readonly diff: string | null;
    readonly changed: DiffTotals | null;
    readonly kept: string | null;
    readonly left: string | null;
  };
  /** The merge queue returns the attempt to its conversation, on a tree where the problem can be solved. No retry is used. */
  attempt_returned: {
    readonly id: number;
    readonly job_id: string;
    readonly cause: AttemptReturn['cause'];
    readonly onto: string;
    /** The tree with which it continues: the merge, with conflict markers in `paths`. */
    readonly start: string;
    readonly paths: readonly string[];
    readonly detail: string;
  };
  /** The worker replaced its to-do list. */
  attempt_todo_set: { readonly id: number; readonly job_id: string; readonly items: readonly TodoItem[] };
  /**
   * The attempt's result, its evidence, and the effect on the feature, in one line: `succeeded` completes the feature, `failed` uses a retry
   * (pending, or failed at the limit), `stuck` and `blocked` return it to pending under an approval, `abandoned` returns it without using a retry.
   */
  attempt_ended: {
    readonly id: number;
    readonly job_id: string;
    readonly status: Exclude<AttemptStatus, 'running' | 'interrupted' | 'queued'>;
    readonly cause: string;
    readonly summary: string | null;
    readonly feedback: string | null;
    readonly verdict: Verdict | null;
    readonly commit: string | null;
    readonly evidence: readonly Evidence[];
    readonly diff: string | null;
    /** The size of `diff`. Absent in older events. */
    readonly changed?: DiffTotals | null;
    /** SHA-256 of the saved work. Absent in older events. */
    readonly kept?: string | null;
    /** The tree that it left, for the next attempt; absent in older events. */
    readonly left?: string | null;
    /** For `stuck` and `blocked`. */
    readonly approval: NewApproval | null;
    /** Null if the same conversation takes the next feature. */
    readonly session: SessionEnd | null;
  };

  // --- features, by hand or by an agent's report
  feature_set: {
    readonly id: number;
    readonly status: FeatureStatus;
    readonly by: Actor;
    readonly reason: string | null;
  };
  /** Seed 003's `status <id> pending`: one retry is used. */
  feature_retried: { readonly id: number; readonly by: Actor; readonly feedback: string | null };
  feature_reordered: { readonly id: number; readonly position: number };
  /** Null restores the job's choice. If there are several, each attempts the feature from the same tree, and one result is picked. */
  feature_executors_chosen: { readonly id: number; readonly executors: readonly string[] | null; readonly by: Actor };
  /**
   * One of the candidate attempts becomes the feature's result, as `commit` on the job's branch. Null if none was picked; then the feature is
   * attempted again.
   */
  candidate_picked: {
    readonly id: number;
    readonly attempt_id: number | null;
    readonly commit: string | null;
    readonly feedback: string | null;
    readonly by: Actor;
  };
}
