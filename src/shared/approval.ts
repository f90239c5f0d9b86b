/** Questions to the steward, and their answers. As `shared/job/rows.ts`. */

/** What a question to the steward is about; the answers that each takes are in `core/approval/stewardship.ts`. */
export const APPROVAL_KINDS = [
  'dirty_tree', // the user's tree has uncommitted work: baseline is HEAD or a snapshot
  'unmergeable', // the merge would refuse the user's checkout: start anyway? Older logs hold it as `dirty_tree`.
  'setup', // setup commands of this workspace, approved once
  'command', // one command without a sandbox
  'plan', // the plan gate
  'phase', // the phase gate
  'escalate', // the reviewer cannot or may not decide
  'stuck', // a worker asks, or is blocked from outside
  'crashes', // five crashes in a row
  'limit', // a limit that does not reset by itself
  'provider', // key missing or refused, no credit, request refused
  'pick', // several agents tried one feature: whose result?
  'merge', // the merge gate
  'conflict', // the final merge meets a moved base
  'workdir', // a project works on another repository: trust it?
  'definition', // PROJECT.md was edited by hand
  'relay', // what one project reports may concern another
  'project', // a project's thread died too often
  'task', // a step of a task asks
] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'void'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/**
 * What a no does beside handing its reason on, as every surface shows before the answer: it ends or pauses the job, marks the
 * feature as failed, ends the try of one of several agents, or skips the setup commands. Null if the job continues with the reason.
 */
export type Refusal = 'ends' | 'pauses' | 'fails' | 'drops' | 'skips' | null;

export interface ApprovalRow {
  readonly id: number;
  /** null: a question about the project itself. */
  readonly job_id: string | null;
  readonly project_id: string;
  /** Of a question about a task; then there is no job. */
  readonly task_id: string | null;
  readonly kind: ApprovalKind;
  /**
   * What exactly is asked about, e.g. `plan:2`, `command:npm test`: an answer counts for this and nothing else. `core/approval/about.ts` alone
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
  /** Answers beside approve / reject, e.g. `head` and `snapshot`; whoever asks a person may offer the first one first. */
  readonly choices: readonly string[];
  readonly choice: string | null;
  readonly feedback: string | null;
  readonly decided_by: 'steward' | 'yes_flag' | 'demo' | null;
  readonly requested_at: string;
  readonly decided_at: string | null;
}

/** A question as it is asked: the store adds its status and its times. */
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
  /** Absent: the job's. Required for a question about a project itself, which has no job. */
  readonly project_id?: string;
  readonly task_id?: string | null;
}
