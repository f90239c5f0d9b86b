/** Questions to the steward, and their answers. As `shared/job/rows.ts`. */

import type { GateFacts } from './rule/rules.ts';

/** Kinds of questions to the steward. `core/approval/stewardship.ts` has the answers that each kind takes. */
export const APPROVAL_KINDS = [
  'dirty_tree', // the user's tree has uncommitted work: baseline is HEAD or a snapshot
  'unmergeable', // the merge would refuse the user's checkout: start nevertheless? Older logs store it as `dirty_tree`.
  'setup', // setup commands of this workspace, approved once
  'command', // one command without a sandbox
  'plan', // the plan gate
  'phase', // the phase gate
  'escalate', // the reviewer cannot or may not decide
  'stuck', // a worker asks, or is blocked from outside
  'crashes', // five crashes in a row
  'limit', // a limit that no new day resets
  'provider', // key missing or refused, no credit, request refused
  'pick', // several agents attempted one feature: choose a result
  'merge', // the merge gate
  'conflict', // the final merge meets a moved base
  'workdir', // a project works on another repository: trust it?
  'definition', // PROJECT.md was edited by hand
  'relay', // a message of one project that may concern another
  'project', // a project's thread died too often
  'task', // a step of a task asks
] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'void'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/**
 * The effect of a rejection, besides passing on its reason. Every surface shows it before the answer: it ends or pauses the job, marks the feature as
 * failed, ends the attempt of one of several agents, or skips the setup commands. Null if the job continues with the reason.
 */
export type Refusal = 'ends' | 'pauses' | 'fails' | 'drops' | 'skips' | null;

export interface ApprovalRow {
  readonly id: number;
  /** Null for a question about the project itself. */
  readonly job_id: string | null;
  readonly project_id: string;
  /** Set for a question about a task, which has no job. */
  readonly task_id: string | null;
  readonly kind: ApprovalKind;
  /**
   * The exact subject of the question, e.g. `plan:2`, `command:npm test`. An answer counts for this subject only. Only `core/approval/about.ts`
   * writes and reads it.
   */
  readonly subject: string;
  readonly status: ApprovalStatus;
  readonly question: string;
  /** More to read before deciding: a plan, a diff stat, an error. Plain text. */
  readonly detail: string;
  readonly phase_id: number | null;
  readonly feature_id: number | null;
  /** Commit that an answer binds to: if the head moved, the approval is void. */
  readonly commit: string | null;
  /** Paths that would execute on the user's machine after the merge. */
  readonly executables: readonly string[];
  /** Answers besides approve and reject, e.g. `head` and `snapshot`. A surface may offer the first one first. */
  readonly choices: readonly string[];
  readonly choice: string | null;
  readonly feedback: string | null;
  readonly decided_by: 'steward' | 'yes_flag' | 'demo' | 'rule' | null;
  /** The rule that approved it. Null if no rule did. */
  readonly rule_id: number | null;
  /** Facts about the work at a phase gate or a merge gate. Null for other questions, and if an older version asked. */
  readonly facts: GateFacts | null;
  readonly requested_at: string;
  readonly decided_at: string | null;
}

/** A question in its event: the store adds its status and its times. */
export interface NewApproval
  extends Pick<
    ApprovalRow,
    | 'id'
    | 'job_id'
    | 'kind'
    | 'subject'
    | 'question'
    | 'detail'
    | 'phase_id'
    | 'feature_id'
    | 'commit'
    | 'executables'
    | 'choices'
  > {
  /** Defaults to the job's project. Required for a question about a project itself, which has no job. */
  readonly project_id?: string;
  readonly task_id?: string | null;
  /** Absent for questions that no rule can answer, and in older events. */
  readonly facts?: GateFacts;
}
