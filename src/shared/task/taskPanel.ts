/**
 * Tasks as the pages show them. A line of the list, and every step of the one that is looked at, hold only what changes when
 * something happens: what ticks is counted on by the page. Texts that may be long come for the one step that is looked at.
 */

import type { NoticeLevel } from '../notice.ts';
import type { Waiting } from '../waiting.ts';
import type { StepView, TaskDetails, TaskSummary } from './taskApi.ts';
import type { TaskEventName } from './tasks.ts';

export interface PanelTask
  extends Pick<
    TaskSummary,
    | 'id'
    | 'projectId'
    | 'name'
    | 'status'
    | 'percent'
    | 'stepsDone'
    | 'stepsTotal'
    | 'elapsedMs'
    | 'costUsd'
    | 'reservedUsd'
    | 'unsettledUsd'
    | 'simulated'
    | 'scheduleId'
    | 'createdAt'
    | 'startedAt'
    | 'endedAt'
  > {
  /** True if its status says that it runs and no process carries out tasks. */
  readonly still?: boolean;
  /** Shortened. */
  readonly reason: string | null;
  /** Its reason is shortened. */
  readonly waiting: Waiting | null;
  /** Name of the first step that runs, and how many do. */
  readonly current: string | null;
  readonly running: number;
  /** How many wait for the steward. */
  readonly questions: number;
  /** When `elapsedMs` was so: while it runs, the page counts on from here. */
  readonly asOf: string;
  /** When it is thought to be over; null: unknown. */
  readonly etaAt: string | null;
}

/** One step of the task that is looked at. */
export interface PanelStep
  extends Pick<
    StepView,
    | 'id'
    | 'number'
    | 'name'
    | 'action'
    | 'status'
    | 'isCheckpoint'
    | 'tries'
    | 'wakeAt'
    | 'questionId'
    | 'startedAt'
    | 'endedAt'
    | 'costUsd'
    | 'reservedUsd'
    | 'unsettledUsd'
  > {
  /** True if it runs or has a time by its status, and no process carries out tasks. */
  readonly still?: boolean;
  /** Numbers of the steps that must be over first. */
  readonly after: readonly number[];
  /** Of a step that a conditional names: what its condition has to come to. */
  readonly branch: { readonly of: number; readonly when: boolean } | null;
  /** Shortened. */
  readonly error: string | null;
  /** Why it does not move. Its reason is shortened. */
  readonly waiting: Waiting | null;
}

/** Of the one step that is looked at. */
export interface PanelStepTexts
  extends Pick<
    StepView,
    'id' | 'params' | 'result' | 'resultBytes' | 'error' | 'onError' | 'maxRetries' | 'backoffSeconds' | 'jobId'
  > {
  readonly sessionId: number | null;
}

export interface PanelTaskLine {
  readonly id: number;
  readonly at: string;
  readonly level: NoticeLevel;
  readonly event: TaskEventName | null;
  /** Its number; null: of the task itself. */
  readonly step: number | null;
  readonly text: string;
}

/** Everything of the task that is looked at that its line in the list does not say. */
export interface PanelTaskDetails
  extends Pick<
    TaskDetails,
    'description' | 'objective' | 'maxParallel' | 'budgetUsd' | 'lastCheckpointSummary' | 'summary' | 'template'
  > {
  readonly taskId: string;
  readonly checkpointAt: string | null;
  readonly steps: readonly PanelStep[];
  readonly step: PanelStepTexts | null;
  /** The newest lines, oldest first. */
  readonly log: readonly PanelTaskLine[];
}

/** What comes again and again. */
export interface PanelSchedule {
  readonly id: number;
  readonly projectId: string;
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly enabled: boolean;
  /** null: never. */
  readonly nextAt: string | null;
}

/** Lines of the log that come with a task. */
export const SHOWN_LINES = 300;
