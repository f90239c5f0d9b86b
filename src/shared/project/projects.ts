/** Projects, their definitions, and what is said to and by them. Column names are those of the tables, as in `shared/job/rows.ts`. */

import type { Executors } from '../agent/executorSchemas.ts';
import type { ProviderName } from '../model/models.ts';
import type { NoticeLevel } from '../notice.ts';
import type { Wait } from '../waiting.ts';

export const PROJECT_STATUSES = ['active', 'suspended', 'completed', 'archived'] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

/** Of those who never heard of projects: it has no PROJECT.md unless somebody writes one, and is never suspended. */
export const DEFAULT_PROJECT = 'default';
/** The main agent's own: it talks to the person and to all projects, and is in no list of them. */
export const MAIN_PROJECT = 'main';

/** Ceilings of one project over all its jobs and its conversation; null: none of this kind. */
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

/** A periodic self-check: what it is asked, and how often. */
export interface Heartbeat {
  readonly minutes: number;
  readonly prompt: string;
}

/** What PROJECT.md says beyond its status: written by the owner alone, a person's edits are taken over. */
export interface ProjectDefinition {
  /** For its conversation and, where the brief names none, for its jobs; null: the default ones. */
  readonly model: string | null;
  /** Who answers its conversation. */
  readonly provider: ProviderName;
  /** For `simulated`: as in `JobOptions`. */
  readonly scenario: string | null;
  /** Who does its jobs' sessions where the brief does not say; null: the built-in agent. */
  readonly executors: Executors | null;
  /** Absolute path of another repository that it works on; null: the workspace's. */
  readonly workdir: string | null;
  readonly limits: ProjectLimits;
  readonly heartbeat: Heartbeat | null;
  /** Name of the project that must be completed before its first turn; null: none. */
  readonly after: string | null;
  /** Minutes without anything to do after which it is suspended; 0: never; null: as set for all. */
  readonly idleMinutes: number | null;
  /** Goal, background, constraints: Markdown, the system prompt of its sessions. */
  readonly body: string;
}

export interface ProjectRow extends ProjectDefinition {
  /** Its name and its folder's. */
  readonly id: string;
  readonly status: ProjectStatus;
  /** Why it has this status, for a person: idle, by whom, what came of it. */
  readonly reason: string | null;
  /** Why nothing of it runs though it is active: PROJECT.md cannot be read, its thread dies, its workdir is not trusted; null: it runs. */
  readonly parked: string | null;
  /** What a model call of its conversation waits for; null if none waits. */
  readonly wait: Wait | null;
  /** The highest id of a message of the last turn that ended without an answer in text, stopped ones included; null if there was none. */
  readonly ended_turn: number | null;
  /** The workdir that the steward trusts; another one is asked about. */
  readonly trusted_workdir: string | null;
  readonly created_at: string;
  /** When it was last suspended. */
  readonly suspended_at: string | null;
  readonly completed_at: string | null;
  readonly archived_at: string | null;
}

/** `steward`: a person. `task`: a step of one of its tasks, to the person. `main`: the main agent. `project`: this project, or another one whose message was relayed. */
export const SENDERS = ['steward', 'main', 'project', 'engine', 'heartbeat', 'task'] as const;
export type Sender = (typeof SENDERS)[number];

/** Who reads what a project says. Each has a read state of its own. */
export const MESSAGE_READERS = ['steward', 'main'] as const;
export type MessageReader = (typeof MESSAGE_READERS)[number];

/** One message of a project. Those to it are its conversation's user turns. It speaks by `notify`, and by the text that ends a turn that was asked. */
export interface MessageRow {
  readonly id: number;
  readonly project_id: string;
  /** `in`: to the project; `out`: from it. */
  readonly direction: 'in' | 'out';
  readonly sender: Sender;
  readonly text: string;
  /** Of an `out`: the project that it concerns, as its sender named it; null: whom it may concern. */
  readonly concerns: string | null;
  /** The `out` of another project that this `in` passes on. */
  readonly relayed_from: number | null;
  /** Of an `out`: the session that said it. */
  readonly session_id: number | null;
  /** Of an `out`: the message of the steward or the main agent that its turn answers; null if its turn was not asked. */
  readonly reply_to: number | null;
  /** Of an `out`: the task that says it, and how much it matters. */
  readonly task_id: string | null;
  readonly level: NoticeLevel | null;
  readonly at: string;
  /** An `in` is read when its conversation holds it, an `out` when a person saw it. */
  readonly read_at: string | null;
  /** Of an `out`: when the main agent's conversation was given it. */
  readonly main_read_at: string | null;
}

/** A message as it is sent. Older versions wrote no `task_id`, `level` and `reply_to`. */
export type NewMessage = Omit<MessageRow, 'at' | 'read_at' | 'main_read_at' | 'task_id' | 'level' | 'reply_to'> &
  Partial<Pick<MessageRow, 'task_id' | 'level' | 'reply_to'>>;
