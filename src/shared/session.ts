/** Sessions of agents: roles, rows and ends. See `shared/job/rows.ts`. */

import type { ErrorCode } from './errors.ts';

export const ROLES = ['planner', 'worker', 'reviewer', 'summarizer', 'project', 'subagent', 'main', 'task'] as const;
export type Role = (typeof ROLES)[number];

/** The role in a conversation: a session's role, or the explorer, which works within the session that asks it. */
export type AgentRole = Role | 'explorer';

/** From its start to its end, as ISO times. */
export type WorkPeriod = readonly [from: string, to: string];

/** Working time of a row; `core/state/workTime.ts` counts it. */
export interface WorkTime {
  /** Milliseconds until it last rested. */
  readonly worked_ms: number;
  /** Time of its start or last resumption. Null if it is at rest or has ended. */
  readonly active_since: string | null;
  /** When it worked until it last rested, oldest first. Empty if an older version wrote the row. */
  readonly periods: readonly WorkPeriod[];
}

export const SESSION_STATUSES = ['running', 'completed', 'failed'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export interface SessionRow extends WorkTime {
  readonly id: number;
  readonly job_id: string | null;
  readonly project_id: string;
  /** For a subagent: the session that started it. */
  readonly parent_id: number | null;
  /** For a step of a task, or a summary of its results. */
  readonly task_id: string | null;
  readonly step_id: number | null;
  readonly role: Role;
  readonly model: string;
  /** `builtin`, or the name of an agent. */
  readonly executor: string;
  readonly phase_id: number | null;
  /** The feature it works on now; a batch moves on. */
  readonly feature_id: number | null;
  readonly attempt_id: number | null;
  /** For a reviewer of one feature: the attempt that it reviews. Null otherwise, and in sessions of older versions. */
  readonly reviews: number | null;
  readonly status: SessionStatus;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly features_attempted: number;
  readonly features_completed: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_usd: number | null;
  readonly error_message: string | null;
  readonly turns: number;
  /** Ids of the notes in its prompt. */
  readonly notes: readonly number[];
  readonly epoch: number;
}

/** An event that uses a session's answer ends the session in the same line: the answer is never lost nor paid twice. */
export interface SessionEnd {
  readonly id: number;
  readonly status: 'completed' | 'failed';
  readonly error_message: string | null;
  readonly turns: number;
}

/** The provider or a limit refused a call: the session stays open and can be resumed. `code` is the gateway's failure. */
export interface Unavailable {
  readonly outcome: 'unavailable';
  readonly code: ErrorCode;
  readonly detail: string;
  readonly hint: string;
  /** ISO time to retry. Null if a retry at a known time would not help. */
  readonly wakeAt: string | null;
  readonly limit: string | null;
  /** What that limit would have to be for work to continue for a while, in its own unit. */
  readonly raiseTo: number | null;
}
