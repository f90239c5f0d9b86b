/** The events of tasks and schedules: a part of `events.ts`, under the same rules. */

import type { Actor } from '../actor.ts';
import type { NewApproval } from '../approval.ts';
import type { NoticeLevel } from '../notice.ts';
import type { NewMessage } from '../project/projects.ts';
import type { SessionEnd } from '../session.ts';
import type { Json, ScheduleRow, TaskRow, TaskStepRow } from './tasks.ts';

/** The part of a task that a definition states. The rest describes its execution. */
export type NewTask = Pick<
  TaskRow,
  | 'id'
  | 'project_id'
  | 'name'
  | 'description'
  | 'objective'
  | 'estimated_duration_minutes'
  | 'completion_behavior'
  | 'notify_on_progress'
  | 'progress_interval_minutes'
  | 'max_parallel'
  | 'budget_micro_usd'
  | 'provider'
  | 'scenario'
  | 'model'
  | 'template'
  | 'created_by'
>;

/** A step without its number and task: they follow from the task that it is added to. */
export type NewStep = Pick<
  TaskStepRow,
  | 'id'
  | 'name'
  | 'action'
  | 'params'
  | 'is_checkpoint'
  | 'on_error'
  | 'max_retries'
  | 'backoff_seconds'
  | 'needs'
  | 'output'
>;

/** The end of a running step, or its repetition. */
export type StepEnd = { readonly step_id: number; readonly session: SessionEnd | null } & (
  | {
      readonly outcome: 'completed';
      /** Null if the artifact contains the result. */
      readonly result: Json;
      readonly artifact: string | null;
      readonly bytes: number;
    }
  /** `retryAt` is the time of the next attempt. Null if there is none. The result of a failed attempt is kept if it has one. */
  | { readonly outcome: 'failed'; readonly error: string; readonly result: Json; readonly retryAt: string | null }
  /** The process that ran the step ended: the step is repeated, and no retry is used. */
  | { readonly outcome: 'interrupted'; readonly error: string }
);

export interface StepStart {
  readonly step_id: number;
  /** Only for a wait. */
  readonly wake_at: string | null;
  /** Only for a brief: the id that its job will have. */
  readonly job_id: string | null;
  /** Only for a question to the steward. */
  readonly approval: NewApproval | null;
}

export interface TaskEventBodies {
  /** With `schedule`, its newest due time advances in the same line: missed times cause one task. */
  task_created: {
    readonly task: NewTask;
    readonly steps: readonly NewStep[];
    readonly schedule: { readonly id: number; readonly due_at: string } | null;
  };
  /** Replaces the whole definition of a task that was not started. */
  task_defined: { readonly task: NewTask; readonly steps: readonly NewStep[]; readonly by: Actor };
  task_steps_added: { readonly task_id: string; readonly steps: readonly NewStep[]; readonly by: Actor };
  task_started: { readonly task_id: string; readonly by: Actor };
  /** Running steps end, and their work is kept; no other step starts. With a question if only the steward can resolve the reason. */
  task_paused: {
    readonly task_id: string;
    readonly reason: string;
    readonly by: Actor;
    readonly approval: NewApproval | null;
    readonly message: NewMessage | null;
  };
  task_resumed: { readonly task_id: string; readonly by: Actor; readonly budget_micro_usd?: number | null };
  task_cancelled: { readonly task_id: string; readonly reason: string; readonly by: Actor };
  task_failed: { readonly task_id: string; readonly reason: string; readonly message: NewMessage | null };
  /** Continues from the step that failed the task; completed steps are kept. */
  task_retried: { readonly task_id: string; readonly by: Actor };
  task_completed: {
    readonly task_id: string;
    readonly summary: string | null;
    readonly session: SessionEnd | null;
    readonly message: NewMessage | null;
  };
  /** Removes an ended task: its rows are deleted, its cost stays in the ledger. */
  task_removed: { readonly task_id: string; readonly by: Actor };
  /** Steps that ended, are skipped, and start, in one line: a kill leaves all of these changes or none. */
  task_stepped: {
    readonly task_id: string;
    readonly ended: readonly StepEnd[];
    readonly skipped: readonly number[];
    readonly started: readonly StepStart[];
    readonly message: NewMessage | null;
  };
  /** A running step asks the steward, and is repeated with the answer. */
  task_step_asked: { readonly task_id: string; readonly step_id: number; readonly approval: NewApproval };
  /** A running step is waiting for a time: the next day's money, a provider that is not available. */
  task_step_waiting: {
    readonly task_id: string;
    readonly step_id: number;
    readonly wake_at: string;
    readonly reason: string;
  };
  task_checkpointed: {
    readonly task_id: string;
    readonly step_id: number;
    readonly summary: string;
    readonly session: SessionEnd | null;
    readonly message: NewMessage | null;
  };
  /** The progress of a task, reported at its interval. */
  task_progressed: { readonly task_id: string; readonly message: NewMessage };
  /** The clone that its commands run in. */
  task_cloned: { readonly task_id: string; readonly clone_dir: string; readonly commit: string };
  /** A line for its log alone. */
  task_noted: {
    readonly task_id: string;
    readonly step_id: number | null;
    readonly level: NoticeLevel;
    readonly text: string;
  };
  /** A new one, or another in its place. */
  schedule_set: { readonly schedule: Omit<ScheduleRow, 'last_due' | 'since'>; readonly by: Actor };
  schedule_removed: { readonly id: number; readonly by: Actor };
}
