/** Projects, their definitions, and the messages to and from them. Column names are those of the tables, as in `shared/job/rows.ts`. */

import type { Executors } from '../agent/executorSchemas.ts';
import type { ProviderName } from '../model/models.ts';
import type { NoticeLevel } from '../notice.ts';
import type { Wait } from '../waiting.ts';

export const PROJECT_STATUSES = ['active', 'suspended', 'completed', 'archived'] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

/** The project of users who do not use projects: it has no PROJECT.md unless a user writes one, and is never suspended. */
export const DEFAULT_PROJECT = 'default';
/** The main agent's own: it talks to the person and to all projects, and is in no list of them. */
export const MAIN_PROJECT = 'main';

/** Limits of one project over all its jobs and its conversation. Null for no limit. */
export interface ProjectLimits {
  readonly dayMicroUsd: number | null;
  readonly totalMicroUsd: number | null;
  /** Input and output of all its calls, cache reads included. */
  readonly tokens: number | null;
  readonly toolCalls: number | null;
}

export const NO_PROJECT_LIMITS: ProjectLimits = {
  dayMicroUsd: null,
  totalMicroUsd: null,
  tokens: null,
  toolCalls: null,
};

/** A periodic self-check: its prompt and its interval. */
export interface Heartbeat {
  readonly minutes: number;
  readonly prompt: string;
}

/** The content of PROJECT.md besides its status. Only the owner writes it; edits by a person are adopted. */
export interface ProjectDefinition {
  /** For its conversation and, if the brief names none, for its jobs. Null for the default models. */
  readonly model: string | null;
  /** The provider of its conversation. */
  readonly provider: ProviderName;
  /** For `simulated`: as in `JobOptions`. */
  readonly scenario: string | null;
  /** Executors of its jobs' sessions if the brief names none. Null for the built-in agent. */
  readonly executors: Executors | null;
  /** Absolute path of another repository that it works on. Null for the workspace's. */
  readonly workdir: string | null;
  readonly limits: ProjectLimits;
  readonly heartbeat: Heartbeat | null;
  /** Name of the project that must be completed before the first turn of this one. Null if there is none. */
  readonly after: string | null;
  /** Idle minutes after which it is suspended. 0 means never, null the workspace's setting. */
  readonly idleMinutes: number | null;
  /** Goal, background, constraints: Markdown. It is the system prompt of its sessions. */
  readonly body: string;
}

export interface ProjectRow extends ProjectDefinition {
  /** Name of the project and of its folder. */
  readonly id: string;
  readonly status: ProjectStatus;
  /** The reason for the status, shown to a person: idle, who set it, the outcome. */
  readonly reason: string | null;
  /** The reason why an active project does not run: PROJECT.md cannot be read, its thread crashes, its workdir is not trusted. Null if it runs. */
  readonly parked: string | null;
  /** The cause for which a model call of its conversation is waiting. Null if no call is waiting. */
  readonly wait: Wait | null;
  /** The highest id of a message of the last turn that ended without an answer in text, stopped turns included. Null if there was none. */
  readonly ended_turn: number | null;
  /** The workdir that the steward trusts; another one is asked about. */
  readonly trusted_workdir: string | null;
  readonly created_at: string;
  /** Time of its last suspension. */
  readonly suspended_at: string | null;
  readonly completed_at: string | null;
  readonly archived_at: string | null;
}

/** `steward`: a person. `task`: a step of one of its tasks, to the person. `main`: the main agent. `project`: this project, or another one whose message was relayed. */
export const SENDERS = ['steward', 'main', 'project', 'engine', 'heartbeat', 'task'] as const;
export type Sender = (typeof SENDERS)[number];

/** Readers of a project's messages. Each has its own read state. */
export const MESSAGE_READERS = ['steward', 'main'] as const;
export type MessageReader = (typeof MESSAGE_READERS)[number];

/**
 * One message of a project. Messages to it are user turns of its conversation. It sends messages by `notify`, and by the final text of a turn that
 * was asked.
 */
export interface MessageRow {
  readonly id: number;
  readonly project_id: string;
  /** `in`: to the project; `out`: from it. */
  readonly direction: 'in' | 'out';
  readonly sender: Sender;
  readonly text: string;
  /** For an `out` message: the project that it concerns, as its sender named it. Null if the sender named none. */
  readonly concerns: string | null;
  /** The `out` of another project that this `in` passes on. */
  readonly relayed_from: number | null;
  /** For an `out` message: the session that sent it. */
  readonly session_id: number | null;
  /** For an `out` message: the message of the steward or the main agent that its turn answers. Null if the turn answers none. */
  readonly reply_to: number | null;
  /** For an `out` message: the task that sent it, and its importance. */
  readonly task_id: string | null;
  readonly level: NoticeLevel | null;
  readonly at: string;
  /** Time at which the conversation took an `in` message, or a person saw an `out` message. */
  readonly read_at: string | null;
  /** For an `out` message: the time when the main agent's conversation received it. */
  readonly main_read_at: string | null;
}

/** A message in its event. Older versions wrote no `task_id`, `level` and `reply_to`. */
export type NewMessage = Omit<MessageRow, 'at' | 'read_at' | 'main_read_at' | 'task_id' | 'level' | 'reply_to'> &
  Partial<Pick<MessageRow, 'task_id' | 'level' | 'reply_to'>>;
