/**
 * Tasks for the pages. A line of the list, and every step of the selected task, contain only values that change by events: the page advances the
 * clocks. Long texts are included only for the selected step.
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
  /** True if its status is running and no process runs tasks. */
  readonly still?: boolean;
  /** Shortened. */
  readonly reason: string | null;
  /** Its reason is shortened. */
  readonly waiting: Waiting | null;
  /** Name of the first step that runs, and how many do. */
  readonly current: string | null;
  readonly running: number;
  /** Number of questions to the steward. */
  readonly questions: number;
  /** Time of `elapsedMs`. While the task runs, the page counts from here. */
  readonly asOf: string;
  /** Estimated time of the end. Null if unknown. */
  readonly etaAt: string | null;
}

/** One step of the selected task. */
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
  /** For a step that a conditional names: the result that its condition must have. */
  readonly branch: { readonly of: number; readonly when: boolean } | null;
  /** Shortened. */
  readonly error: string | null;
  /** The reason why it does not continue, shortened. */
  readonly waiting: Waiting | null;
}

/** Texts of the one selected step. */
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
  /** The step's number. Null for the task itself. */
  readonly step: number | null;
  readonly text: string;
}

/** Everything of the selected task that is not in its line of the list. */
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

/** A schedule, with its next time. */
export interface PanelSchedule {
  readonly id: number;
  readonly projectId: string;
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly enabled: boolean;
  /** Null if there is no next time. */
  readonly nextAt: string | null;
}

/** Limit of the log lines that are sent with a task. */
export const SHOWN_LINES = 300;
