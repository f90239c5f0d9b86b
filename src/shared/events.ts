/**
 * The events: every change of state is one of these, one line in the log. Each carries all that the reducer needs, ids
 * included, so that replaying is exact. Renaming or removing one breaks old logs: add a new type instead.
 */

import type { ApprovalKind } from './approvals.ts';
import type {
  AttemptStatus,
  DiffTotals,
  Evidence,
  FeatureRow,
  FeatureStatus,
  GainedCommits,
  JobOptions,
  MachineFacts,
  MergeMode,
  MergeResult,
  NoteRow,
  Payee,
  PlanRow,
  ResultChecks,
  Role,
  SessionRow,
  SetupGap,
  SetupRemoved,
} from './domain.ts';
import type { Executors } from './executorSchemas.ts';
import type { Limits, UnpricedLimits, Usage } from './money.ts';
import type { Plan, Verdict } from './plan.ts';
import type { MessageReader, MessageRow, ProjectDefinition } from './projects.ts';
import type { Change, TableName, Tables } from './state.ts';
import type { TaskEventBodies } from './taskEvents.ts';
import type { TodoItem } from './todo.ts';
import type { CallWait, Waiter } from './waiting.ts';

/** Commits of fixes that became part of their features' commits. */
export interface FoldedFixes {
  /** The rewritten tip, with the tree of the verified commit. The same commit if nothing could be folded. */
  readonly head: string;
  /** What each rewritten commit became. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  /** Why commits stay apart, one sentence each. */
  readonly apart: readonly string[];
}

/** Who caused a change, where it matters. */
export type Actor = 'steward' | 'api' | 'yes_flag' | 'demo' | 'engine' | 'agent' | 'main' | 'schedule';

export interface NewApproval {
  readonly id: number;
  /** null: about a project itself, which `project_id` names. */
  readonly job_id: string | null;
  /** Absent: the job's. */
  readonly project_id?: string;
  readonly task_id?: string | null;
  readonly kind: ApprovalKind;
  readonly subject: string;
  readonly question: string;
  readonly detail: string;
  readonly phase_id: number | null;
  readonly feature_id: number | null;
  readonly commit: string | null;
  readonly executables: readonly string[];
  readonly choices: readonly string[];
}

/** An event that uses a session's answer ends the session in the same line: the answer is never lost nor paid twice. */
export interface SessionEnd {
  readonly id: number;
  readonly status: 'completed' | 'failed';
  readonly error_message: string | null;
  readonly turns: number;
}

/** A message as it is sent. Older versions wrote no `task_id`, `level` and `reply_to`. */
export type NewMessage = Omit<MessageRow, 'at' | 'read_at' | 'main_read_at' | 'task_id' | 'level' | 'reply_to'> &
  Partial<Pick<MessageRow, 'task_id' | 'level' | 'reply_to'>>;

/** Ids of a plan's phases and features, in the plan's order. */
export interface PlanIds {
  readonly phases: readonly { readonly id: number; readonly features: readonly number[] }[];
}

interface EventBodies extends TaskEventBodies {
  // --- the workspace
  /** A new owner: calls in flight become unsettled, running attempts interrupted, sessions that cannot go on failed. */
  owner_started: { readonly pid: number; readonly release: string };
  limits_set: { readonly limits: Limits; readonly by: Actor };
  /** Without a definition: the default project as older versions made it. */
  project_created: {
    readonly project: {
      readonly id: string;
      readonly model: string | null;
      readonly workdir: string | null;
      readonly definition?: ProjectDefinition;
    };
    readonly by?: Actor;
  };
  /** Its definition as a whole, changed by a wish or taken over from PROJECT.md. */
  project_defined: { readonly project_id: string; readonly definition: ProjectDefinition; readonly by: Actor };
  /** Its live jobs are paused with it, and go on when it is resumed. */
  project_suspended: { readonly project_id: string; readonly reason: string; readonly by: Actor };
  project_resumed: { readonly project_id: string; readonly by: Actor };
  project_completed: { readonly project_id: string; readonly reason: string; readonly by: Actor };
  project_archived: { readonly project_id: string; readonly by: Actor };
  /** Active, but nothing of it runs until the reason is gone. */
  project_parked: { readonly project_id: string; readonly reason: string; readonly approval: NewApproval | null };
  project_unparked: { readonly project_id: string };
  /** A turn ends without an answer in text: by a tool (`agent`), by a limit (`engine`), or stopped. It holds no message after `up_to`. */
  turn_ended: { readonly project_id: string; readonly up_to: number; readonly by: Actor };
  message_sent: { readonly message: NewMessage };
  /** All of this direction up to this one. `by` is the reader of an `out`; events of older versions have none and count for both readers. */
  messages_read: {
    readonly project_id: string;
    readonly direction: MessageRow['direction'];
    readonly up_to: number;
    readonly by?: MessageReader;
  };
  /** The job that verbs without an id mean. */
  job_selected: { readonly job_id: string };
  /** Rows of a file that a tool of seed 003's form left. They keep their ids unless these were given here before. */
  imported: {
    readonly source: string;
    readonly features: readonly FeatureRow[];
    readonly notes: readonly NoteRow[];
    readonly sessions: readonly SessionRow[];
  };
  /** What was exported elsewhere, as it was; whatever the rows say, they are taken for ended. Only into a workspace without any. */
  record_imported: {
    /** SHA-256 of its manifest. */
    readonly source: string;
    readonly rows: { readonly [T in TableName]: readonly Tables[T][] };
  };

  /** A log that had lost its end takes over what the database held beyond it. Events `found` + 1 to `known` are lost. */
  state_restored: {
    /** Name of the kept copy of the database; null if there was no database. */
    readonly source: string | null;
    readonly found: number;
    readonly known: number;
    readonly changes: readonly Change[];
  };

  // --- the job
  brief_submitted: {
    readonly job: {
      readonly id: string;
      readonly project_id: string;
      readonly title: string;
      readonly brief: string;
      /** Absent: the workspace's. */
      readonly repository?: string | null;
      readonly options: JobOptions;
      readonly job_dir: string;
      readonly branch: string;
      /** Ids of the features that it takes from the backlog. Absent: none. */
      readonly backlog?: readonly number[];
    };
  };
  clone_made: {
    readonly job_id: string;
    readonly clone_dir: string;
    readonly baseline: string;
    readonly base_branch: string | null;
    readonly snapshot: boolean;
    readonly head: string;
    /** Absent: an older version wrote the event. */
    readonly machine?: MachineFacts;
  };
  /** The clone's folder is gone: it is made again, and its setup runs again. */
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
    /** Why they did not run. Null if they did. */
    readonly skipped: string | null;
    /** The question whether to begin although none of them can pass. Absent if there is none. */
    readonly approval?: NewApproval;
  };
  plan_proposed: {
    readonly job_id: string;
    readonly plan_version: number;
    readonly plan: Plan;
    readonly by: PlanRow['by'];
    readonly session: SessionEnd | null;
  };
  /** A planner session gave no usable plan, or the steward rejected it: the next one gets the feedback. */
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
    /** Roles that are somebody else's from here on. */
    readonly executors?: Executors;
    readonly by: Actor;
  };
  /** The job's branch took in the moved base; features after this start from it. */
  base_merged: {
    readonly job_id: string;
    readonly baseline: string;
    readonly head: string;
    /** Absent in older events. */
    readonly gained?: GainedCommits | null;
    /** The commits that the started phases are compared with from here on. Absent in older events. */
    readonly phases?: readonly { readonly phase_id: number; readonly base_commit: string }[];
  };
  /**
   * The verify commands of all phases, run on the commit that is to be merged. With `feedback` one failed: the last phase
   * goes again with a fix feature.
   */
  result_verified: {
    readonly job_id: string;
    readonly commit: string;
    readonly evidence: readonly Evidence[];
    /** See `ResultChecks`. Absent in older events. */
    readonly base?: readonly Evidence[];
    readonly feedback: string | null;
    readonly fix_feature_id: number | null;
    /** What the fix is about, for its name. Absent in older events, and if the feedback has no words: the title of the phase is used. */
    readonly fix_title?: string;
    /** Absent in older events. Null if no commit had to be folded. */
    readonly folded?: FoldedFixes | null;
  };
  /** The steward accepts the commit although a verify command fails on it. */
  result_accepted: { readonly job_id: string; readonly commit: string; readonly approval_id: number };
  /** From here on the refs are the truth, until the merge ended or completed the job. */
  merge_begun: { readonly job_id: string; readonly commit: string; readonly mode: MergeMode };
  merge_ended: { readonly job_id: string; readonly reason: string };
  /** What a job that is over had finished was put somewhere by the steward's wish. */
  result_merged: { readonly job_id: string; readonly merge: MergeResult };
  /** The steward wants more before the merge: the last phase goes again with a fix feature. */
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
    readonly by: 'reviewer' | 'steward';
    readonly reason: string;
  };
  /** The phase goes again, or fails with its job when its attempts are used up (the reducer counts). */
  phase_rejected: {
    readonly job_id: string;
    readonly phase_id: number;
    readonly by: 'reviewer' | 'steward';
    readonly feedback: string;
    /** Features to reopen; what they held back is pending anyway. */
    readonly reopen: readonly number[];
    /** Id for a fix feature when nothing is reopened. */
    readonly fix_feature_id: number | null;
    /** As in `result_verified`. */
    readonly fix_title?: string;
  };

  // --- attempts and sessions
  session_started: {
    readonly id: number;
    readonly job_id: string | null;
    readonly project_id: string;
    readonly parent_id?: number | null;
    readonly task_id?: string | null;
    readonly step_id?: number | null;
    readonly role: Role;
    readonly model: string;
    /** Absent: the built-in agent. */
    readonly executor?: string;
    readonly phase_id: number | null;
    readonly notes: readonly number[];
  };
  /** It gave no answer that counts. */
  session_ended: { readonly session: SessionEnd };
  /** A feature (or a phase review, when `feature_id` is null) is under way. */
  attempt_started: {
    readonly id: number;
    readonly job_id: string;
    readonly phase_id: number;
    readonly feature_id: number | null;
    readonly session_id: number;
    readonly base_commit: string;
    /** What the tree was at the start, with what an earlier attempt left; absent in older events, and for a review. */
    readonly start?: string | null;
    readonly notes: readonly number[];
  };
  /** Its process died or it was paused. `crash` counts towards parking, `pause` and `unavailable` do not. */
  attempt_interrupted: {
    readonly id: number;
    readonly job_id: string;
    readonly cause: 'crash' | 'pause' | 'unavailable';
  };
  attempt_resumed: { readonly id: number; readonly job_id: string };
  /** The worker replaced its to-do list. */
  attempt_todo_set: { readonly id: number; readonly job_id: string; readonly items: readonly TodoItem[] };
  /**
   * The attempt's result, its evidence, and what follows for the feature, in one line: `succeeded` completes the feature,
   * `failed` uses a retry (pending, or failed at the limit), `stuck` and `blocked` put it back to pending under
   * an approval, `abandoned` puts it back with no retry used.
   */
  attempt_ended: {
    readonly id: number;
    readonly job_id: string;
    readonly status: Exclude<AttemptStatus, 'running' | 'interrupted'>;
    readonly cause: string;
    readonly summary: string | null;
    readonly feedback: string | null;
    readonly verdict: Verdict | null;
    readonly commit: string | null;
    readonly evidence: readonly Evidence[];
    readonly diff: string | null;
    /** Of `diff`; absent in older events. */
    readonly changed?: DiffTotals | null;
    /** SHA-256 of the work as it is kept; absent in older events. */
    readonly kept?: string | null;
    /** The tree that it left, for the next attempt; absent in older events. */
    readonly left?: string | null;
    /** For `stuck` and `blocked`. */
    readonly approval: NewApproval | null;
    /** null: the same conversation takes the next feature. */
    readonly session: SessionEnd | null;
  };

  // --- features and notes, by hand or by an agent's report
  feature_set: {
    readonly id: number;
    readonly status: FeatureStatus;
    readonly by: Actor;
    readonly reason: string | null;
  };
  /** Seed 003's `status <id> pending`: one retry is used. */
  feature_retried: { readonly id: number; readonly by: Actor; readonly feedback: string | null };
  feature_reordered: { readonly id: number; readonly position: number };
  /** null: as the job says again. Several: each tries it from the same tree, and one result is picked. */
  feature_executors_chosen: { readonly id: number; readonly executors: readonly string[] | null; readonly by: Actor };
  /** One of the attempts side by side is the feature's, as `commit` on the job's branch; null: none of them, it is tried again. */
  candidate_picked: {
    readonly id: number;
    readonly attempt_id: number | null;
    readonly commit: string | null;
    readonly feedback: string | null;
    readonly by: Actor;
  };
  /** `created_by` is absent for a note of a session, whose role counts, and in older events. */
  note_added: {
    readonly note: Omit<NoteRow, 'created_at' | 'superseded_by' | 'created_by'> & Partial<Pick<NoteRow, 'created_by'>>;
    readonly supersedes: number | null;
  };
  note_resolved: { readonly id: number };

  // --- the steward
  approval_requested: {
    readonly approval: NewApproval;
    /** The checks that the question is about, if it asks to take a result that fails. */
    readonly checks?: ResultChecks;
  };
  approval_decided: {
    readonly id: number;
    readonly decision: 'approved' | 'rejected';
    readonly choice: string | null;
    readonly feedback: string | null;
    readonly by: 'steward' | 'yes_flag' | 'demo';
  };
  /** What it asked about changed or went away. */
  approval_voided: { readonly id: number; readonly reason: string };

  // --- waits
  /** A model call of the session waits, or waits for another time. Its job, project, task or step shows it. */
  wait_begun: {
    readonly session_id: number;
    readonly code: CallWait;
    readonly reason: string;
    readonly until: string | null;
  };
  /** A call of the session was answered again. */
  wait_ended: { readonly session_id: number };
  /** A person does not want to wait: everything of the job, the project's conversation or the task is tried at once. */
  tried_now: { readonly of: Waiter; readonly id: string; readonly by: Actor };

  // --- the money
  call_reserved: {
    readonly id: number;
    readonly session_id: number;
    readonly provider: Payee;
    readonly model: string;
    readonly day: string;
    readonly micro_usd: number;
    /** The most that it can use, input and output. */
    readonly tokens?: number;
    readonly price_version: string;
  };
  call_settled: {
    readonly id: number;
    readonly usage: Usage;
    readonly micro_usd: number;
    readonly tool_calls?: number;
  };
  /** The provider cannot have billed it. */
  call_released: { readonly id: number; readonly reason: string };
  /** Perhaps billed, perhaps not: counted at the reservation until the steward says otherwise. */
  /** `micro_usd`, `tokens`: the most that it can have cost and used, if that is less than what was reserved. */
  call_unsettled: {
    readonly id: number;
    readonly reason: string;
    readonly micro_usd?: number;
    readonly tokens?: number;
  };
  call_adjusted: { readonly id: number; readonly micro_usd: number; readonly by: Actor };
}

export type EventType = keyof EventBodies;

/** What a caller proposes: one transition. */
export type EventDraft = { [T in EventType]: { readonly type: T } & EventBodies[T] }[EventType];

/** What was committed. `seq` rises by one without gaps within what counts; `at` is ISO 8601 UTC. */
export type Event = EventDraft & { readonly seq: number; readonly epoch: number; readonly at: string };

export type EventOf<T extends EventType> = Extract<Event, { readonly type: T }>;
