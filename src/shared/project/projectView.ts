/** What every surface shows of the projects: plain data, made by `core/project/projectView.ts`. Amounts in USD. */

import type { Waiting } from '../waiting.ts';
import type { MessageRow, ProjectStatus } from './projects.ts';

/** Of one message, or of an answer, characters. */
export const MAX_TEXT = 64 * 1024;

/** Of a conversation in one page. */
export const MAX_MESSAGES = 10_000;

export interface ProjectView {
  readonly name: string;
  readonly status: ProjectStatus;
  /** Why it has this status, or why nothing of it runs; null: nothing to say. */
  readonly reason: string | null;
  readonly parked: boolean;
  /** First line of its goal. */
  readonly goal: string;
  readonly workdir: string | null;
  readonly model: string | null;
  /** What it does now. `stopped` if no part of it runs. */
  readonly doing: 'talking' | 'working' | 'waiting' | 'idle' | 'stopped';
  /** Why no part of it moves; null if a part moves, or if there is nothing to do. */
  readonly waiting: Waiting | null;
  /** Jobs that are not over. */
  readonly liveJobs: number;
  readonly jobs: number;
  /** Questions to the steward, its jobs' included. */
  readonly questions: number;
  /** What it said and nobody saw. */
  readonly unread: number;
  /** Settled. What is reserved for calls in flight and what was perhaps billed follow, each at the most that it can be. */
  readonly todayUsd: number;
  readonly todayReservedUsd: number;
  readonly todayUnsettledUsd: number;
  readonly totalUsd: number;
  readonly totalReservedUsd: number;
  readonly totalUnsettledUsd: number;
  readonly dayLimitUsd: number | null;
  readonly createdAt: string;
  /** Of its last message or job. */
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
  /** The session that answers; its live lines say what it does. null: none does. */
  readonly sessionId: number | null;
}

export type ConversationMessage = Pick<
  MessageRow,
  'id' | 'direction' | 'sender' | 'text' | 'concerns' | 'at' | 'read_at'
> & {
  /** The project whose message was passed on. */
  readonly relayedFrom: string | null;
  /** The other projects that were given it. Absent if there are none. Every notice reaches the main agent. */
  readonly passedTo?: readonly string[];
};
