/** Declares the actions of a job's loop and the questions that it asks. */
import type { ApprovalRow } from '../../shared/approval.ts';
import type { AttemptRow, FeatureRow, MergeMode, PhaseRow } from '../../shared/job/rows.ts';
import type { About } from '../approval/about.ts';

/** A question that the loop must ask, with the data for its text. */
export type Question =
  | { readonly kind: 'plan'; readonly version: number }
  | { readonly kind: 'planner'; readonly feedback: string }
  /** `feature` is null when the review of a phase crashes. */
  | { readonly kind: 'crashes'; readonly attempt: AttemptRow; readonly feature: FeatureRow | null }
  | { readonly kind: 'phase'; readonly phase: PhaseRow; readonly review: AttemptRow }
  | { readonly kind: 'escalate'; readonly phase: PhaseRow; readonly review: AttemptRow }
  | { readonly kind: 'pick'; readonly feature: FeatureRow; readonly candidates: readonly AttemptRow[] }
  | { readonly kind: 'merge'; readonly head: string };

export type Action =
  | { readonly do: 'stop'; readonly why: 'final' | 'paused' }
  | { readonly do: 'wait'; readonly until: string; readonly reason: string }
  | { readonly do: 'wake' }
  /** The answer came before the job was marked as waiting. */
  | { readonly do: 'continue' }
  | { readonly do: 'await'; readonly approvals: readonly ApprovalRow[] }
  | { readonly do: 'ask'; readonly about: About; readonly question: Question }
  | { readonly do: 'fail'; readonly reason: string }
  /** A person rejected the question. When the job is resumed, it asks the question again. */
  | { readonly do: 'pause'; readonly reason: string }
  | { readonly do: 'clone'; readonly snapshot: boolean | null }
  | { readonly do: 'setup' }
  | { readonly do: 'raise_limit'; readonly approval: ApprovalRow }
  | { readonly do: 'plan' }
  | { readonly do: 'accept_plan'; readonly version: number; readonly by: 'steward' | 'yes_flag' | 'demo' | 'engine' }
  | { readonly do: 'refuse_plan'; readonly feedback: string }
  /** Runs the verify commands before any work, so that an existing failure does not count as one of the work. */
  | { readonly do: 'check_baseline'; readonly commands: readonly string[] }
  | { readonly do: 'start_phase'; readonly phase: PhaseRow }
  | { readonly do: 'resume'; readonly attempt: AttemptRow }
  /** Merges an accepted attempt into the job's branch, or returns it to its conversation. */
  | { readonly do: 'integrate'; readonly attempt: AttemptRow }
  | { readonly do: 'release'; readonly feature: FeatureRow }
  | { readonly do: 'attempt'; readonly phase: PhaseRow; readonly feature: FeatureRow }
  /** One of the candidate results becomes the feature's, or none does and the feature is attempted again. */
  | {
      readonly do: 'pick';
      readonly feature: FeatureRow;
      readonly attempt: AttemptRow | null;
      readonly feedback: string | null;
      readonly by: 'steward' | 'yes_flag' | 'demo' | 'engine';
    }
  | { readonly do: 'summarize'; readonly phase: PhaseRow }
  | { readonly do: 'begin_review'; readonly phase: PhaseRow }
  | { readonly do: 'review'; readonly phase: PhaseRow }
  | {
      readonly do: 'approve_phase';
      readonly phase: PhaseRow;
      readonly by: 'reviewer' | 'steward' | 'rule';
      readonly reason: string;
    }
  | {
      readonly do: 'reject_phase';
      readonly phase: PhaseRow;
      readonly by: 'reviewer' | 'steward';
      readonly feedback: string;
      readonly reopen: readonly string[];
    }
  /** Runs every verify command of the plan on the commit that will be merged. */
  | { readonly do: 'verify_result'; readonly head: string }
  /** The steward accepts the result although a verify command fails. */
  | { readonly do: 'accept_result'; readonly head: string; readonly approval: ApprovalRow }
  | { readonly do: 'merge'; readonly mode: MergeMode; readonly head: string }
  | { readonly do: 'refuse_merge'; readonly feedback: string };

/** An action and the lane that runs it. */
export interface Due {
  readonly lane: number;
  readonly action: Action;
}

/** What runs now. */
export interface Busy {
  readonly lanes: ReadonlySet<number>;
  /** The features that it works on: an attempt may not be stored yet. */
  readonly features: ReadonlySet<number>;
  /** Whether an action of the whole job runs in one of the lanes. */
  readonly job: boolean;
  /** Whether a merge into the job's branch runs. */
  readonly merge: boolean;
}

export const NOTHING_RUNS: Busy = { lanes: new Set(), features: new Set(), job: false, merge: false };

/** Actions of one lane. All others are of the whole job. */
export const IN_LANE: ReadonlySet<Action['do']> = new Set(['attempt', 'resume', 'integrate', 'release']);
