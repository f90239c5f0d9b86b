/**
 * The events: every change of state is one of these, one line in the log. Each carries all that the reducer needs, ids
 * included, so that replaying is exact. Renaming or removing one breaks old logs: add a new type instead.
 */

import type { Actor } from '../actor.ts';
import type { NewApproval } from '../approval.ts';
import type { ResultChecks } from '../job/evidence.ts';
import type { JobEventBodies } from '../job/jobEvents.ts';
import type { FeatureRow } from '../job/rows.ts';
import type { Payee } from '../model/models.ts';
import type { Limits, Usage } from '../money.ts';
import type { NoteRow } from '../note.ts';
import type { MessageReader, MessageRow, NewMessage, ProjectDefinition } from '../project/projects.ts';
import type { RuleRow } from '../rule/rules.ts';
import type { Role, SessionEnd, SessionRow } from '../session.ts';
import type { TaskEventBodies } from '../task/taskEvents.ts';
import type { CallWait, Waiter } from '../waiting.ts';
import type { Change, TableName, Tables } from './state.ts';

interface EventBodies extends JobEventBodies, TaskEventBodies {
  // --- the workspace
  /** A new owner: calls in flight become unsettled, running attempts interrupted, sessions that cannot continue failed. */
  owner_started: { readonly pid: number; readonly release: string };
  limits_set: { readonly limits: Limits; readonly by: Actor };
  /** Without a definition if an older version created the default project. */
  project_created: {
    readonly project: {
      readonly id: string;
      readonly model: string | null;
      readonly workdir: string | null;
      readonly definition?: ProjectDefinition;
    };
    readonly by?: Actor;
  };
  /** The whole definition, changed by a request or adopted from PROJECT.md. */
  project_defined: { readonly project_id: string; readonly definition: ProjectDefinition; readonly by: Actor };
  /** Its live jobs are paused with it, and resume with it. */
  project_suspended: { readonly project_id: string; readonly reason: string; readonly by: Actor };
  project_resumed: { readonly project_id: string; readonly by: Actor };
  project_completed: { readonly project_id: string; readonly reason: string; readonly by: Actor };
  project_archived: { readonly project_id: string; readonly by: Actor };
  /** The project is active, but does not run until the reason is resolved. */
  project_parked: { readonly project_id: string; readonly reason: string; readonly approval: NewApproval | null };
  project_unparked: { readonly project_id: string };
  /** A turn ends without an answer in text: by a tool (`agent`), by a limit (`engine`), or stopped. It holds no message after `up_to`. */
  turn_ended: { readonly project_id: string; readonly up_to: number; readonly by: Actor };
  message_sent: { readonly message: NewMessage };
  /**
   * Marks all messages of this direction up to this one as read. `by` is the reader of an `out` message; events of older versions have none and count
   * for both readers.
   */
  messages_read: {
    readonly project_id: string;
    readonly direction: MessageRow['direction'];
    readonly up_to: number;
    readonly by?: MessageReader;
  };
  /** The job that verbs without an id mean. */
  job_selected: { readonly job_id: string };
  /** Rows from a file of a tool of seed 003's form. They keep their ids unless the ids are used here already. */
  imported: {
    readonly source: string;
    readonly features: readonly FeatureRow[];
    readonly notes: readonly NoteRow[];
    readonly sessions: readonly SessionRow[];
  };
  /** An imported record, unchanged; its rows count as ended whatever their status. Only possible in an empty workspace. */
  record_imported: {
    /** SHA-256 of its manifest. */
    readonly source: string;
    readonly rows: { readonly [T in TableName]: readonly Tables[T][] };
  };

  /** Restores rows that the database had beyond a log that lost its end. Events `found` + 1 to `known` are lost. */
  state_restored: {
    /** Name of the kept copy of the database; null if there was no database. */
    readonly source: string | null;
    readonly found: number;
    readonly known: number;
    readonly changes: readonly Change[];
  };

  // --- sessions and notes
  session_started: {
    readonly id: number;
    readonly job_id: string | null;
    readonly project_id: string;
    readonly parent_id?: number | null;
    readonly task_id?: string | null;
    readonly step_id?: number | null;
    readonly role: Role;
    readonly model: string;
    /** Defaults to the built-in agent. */
    readonly executor?: string;
    readonly phase_id: number | null;
    readonly notes: readonly number[];
    /** For a reviewer of one feature: the attempt that it reviews. */
    readonly reviews?: number;
  };
  /** The session gave no answer that counts. */
  session_ended: { readonly session: SessionEnd };
  /** `created_by` is absent in older events and for a note of a session, whose role counts. */
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
  /** A person created a rule that was offered. */
  rule_created: { readonly rule: Omit<RuleRow, 'created_at' | 'revoked_at'>; readonly by: 'steward' };
  rule_revoked: { readonly id: number; readonly by: 'steward' };
  /** A rule approved a gate instead of a person. The question is recorded with its answer. */
  rule_used: { readonly rule_id: number; readonly approval: NewApproval; readonly choice: string | null };
  /** The subject of the question changed or was removed. */
  approval_voided: { readonly id: number; readonly reason: string };

  // --- waits
  /** A model call of the session starts to wait, or its time changed. Its job, project, task or step shows the wait. */
  wait_begun: {
    readonly session_id: number;
    readonly code: CallWait;
    readonly reason: string;
    readonly until: string | null;
  };
  /** A call of the session was answered again. */
  wait_ended: { readonly session_id: number };
  /** A person does not want to wait: every waiting call of the job, the project's conversation or the task is retried now. */
  tried_now: { readonly of: Waiter; readonly id: string; readonly by: Actor };

  // --- the money
  call_reserved: {
    readonly id: number;
    readonly session_id: number;
    readonly provider: Payee;
    readonly model: string;
    readonly day: string;
    readonly micro_usd: number;
    /** Upper bound of the call's tokens, input and output. */
    readonly tokens?: number;
    /** Name of the conversation within the session. Null or absent if its caller may change the history. */
    readonly conversation?: string | null;
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
  /**
   * Possibly billed: counted at the reservation until the steward states the cost. `micro_usd` and `tokens` are upper bounds, if they are less than
   * the reservation.
   */
  call_unsettled: {
    readonly id: number;
    readonly reason: string;
    readonly micro_usd?: number;
    readonly tokens?: number;
  };
  call_adjusted: { readonly id: number; readonly micro_usd: number; readonly by: Actor };
}

export type EventType = keyof EventBodies;

/** A draft of one transition, as a caller proposes it. */
export type EventDraft = { [T in EventType]: { readonly type: T } & EventBodies[T] }[EventType];

/** A committed event. `seq` rises by one without gaps among events that count; `at` is ISO 8601 UTC. */
export type Event = EventDraft & { readonly seq: number; readonly epoch: number; readonly at: string };

export type EventOf<T extends EventType> = Extract<Event, { readonly type: T }>;
