/** The view of the projects that every surface shows: plain data, made by `core/project/projectView.ts`. Amounts in USD. */

import type { Waiting } from '../waiting.ts';
import type { MessageRow, ProjectStatus } from './projects.ts';

/** Limit of one message or answer, in characters. */
export const MAX_TEXT = 64 * 1024;

/** Limit of messages of a conversation in one page. */
export const MAX_MESSAGES = 10_000;

export interface ProjectView {
  readonly name: string;
  readonly status: ProjectStatus;
  /** The reason for the status, or for the project not running. Null if there is none. */
  readonly reason: string | null;
  readonly parked: boolean;
  /** First line of its goal. */
  readonly goal: string;
  readonly workdir: string | null;
  readonly model: string | null;
  /** The current activity. `stopped` if no part of the project runs. */
  readonly doing: 'talking' | 'working' | 'waiting' | 'idle' | 'stopped';
  /** The reason why no part of it runs. Null if a part runs, or if there is no work. */
  readonly waiting: Waiting | null;
  /** Jobs that are not over. */
  readonly liveJobs: number;
  readonly jobs: number;
  /** Questions to the steward, its jobs' included. */
  readonly questions: number;
  /** Number of messages of the project that no reader has seen. */
  readonly unread: number;
  /** Settled. The amounts reserved for calls in flight and possibly billed follow, each as an upper bound. */
  readonly todayUsd: number;
  readonly todayReservedUsd: number;
  readonly todayUnsettledUsd: number;
  readonly totalUsd: number;
  readonly totalReservedUsd: number;
  readonly totalUnsettledUsd: number;
  readonly dayLimitUsd: number | null;
  readonly createdAt: string;
  /** Time of its last message or job. */
  readonly lastAt: string;
}

/** An active project in which nothing has happened since it was created. */
export function untouchedProject(name: string, createdAt: string): ProjectView {
  return {
    name,
    status: 'active',
    reason: null,
    parked: false,
    goal: '',
    workdir: null,
    model: null,
    doing: 'idle',
    waiting: null,
    liveJobs: 0,
    jobs: 0,
    questions: 0,
    unread: 0,
    todayUsd: 0,
    todayReservedUsd: 0,
    todayUnsettledUsd: 0,
    totalUsd: 0,
    totalReservedUsd: 0,
    totalUnsettledUsd: 0,
    dayLimitUsd: null,
    createdAt,
    lastAt: createdAt,
  };
}

/** A project's conversation as people read it, oldest first. */
export interface ConversationView {
  readonly project: string;
  readonly messages: readonly ConversationMessage[];
  /** Older ones that are not in `messages`. */
  readonly earlier: number;
  /** The session that answers; its live lines show the activity. Null if no session is answering. */
  readonly sessionId: number | null;
}

export type ConversationMessage = Pick<
  MessageRow,
  'id' | 'direction' | 'sender' | 'text' | 'concerns' | 'at' | 'read_at'
> & {
  /** The project whose message was relayed. */
  readonly relayedFrom: string | null;
  /** The other projects that received the message. Absent if there are none. Every notice reaches the main agent. */
  readonly passedTo?: readonly string[];
};
