/** The events of tasks and schedules: a part of `events.ts`, under the same rules. */

import type { Actor } from '../actor.ts';
import type { NewApproval } from '../approval.ts';
import type { NoticeLevel } from '../notice.ts';
import type { NewMessage } from '../project/projects.ts';
import type { SessionEnd } from '../session.ts';
import type { Json, ScheduleRow, TaskRow, TaskStepRow } from './tasks.ts';

/** What a definition says of a task; the rest is what becomes of it. */
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

/** Its number and its task follow from where it is added. */
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

/** How a running step came to an end, or goes again. */
export type StepEnd = { readonly step_id: number; readonly session: SessionEnd | null } & (
  | {
      readonly outcome: 'completed';
      /** null where it lies in the artifact. */
      readonly result: Json;
      readonly artifact: string | null;
      readonly bytes: number;
    }
  /** `retryAt`: tried again then; null: for good. What a failed try gave is kept where it gave something. */
  | { readonly outcome: 'failed'; readonly error: string; readonly result: Json; readonly retryAt: string | null }
  /** What carried it out died: it goes again, and no try is used. */
  | { readonly outcome: 'interrupted'; readonly error: string }
);

export interface StepStart {
  readonly step_id: number;
  /** Of a wait. */
  readonly wake_at: string | null;
  /** Of a brief: the id that its job will have. */
  readonly job_id: string | null;
  /** Of a question to the steward. */
  readonly approval: NewApproval | null;
}

export interface TaskEventBodies {
  /** With `schedule`, its newest due time moves on in the same line: a missed time is made up for once. */
  task_created: {
    readonly task: NewTask;
    readonly steps: readonly NewStep[];
    readonly schedule: { readonly id: number; readonly due_at: string } | null;
  };
  /** The whole of a task that was not started, anew. */
  task_defined: { readonly task: NewTask; readonly steps: readonly NewStep[]; readonly by: Actor };
  task_steps_added: { readonly task_id: string; readonly steps: readonly NewStep[]; readonly by: Actor };
  task_started: { readonly task_id: string; readonly by: Actor };
  /** What runs ends and is kept; nothing else begins. With a question where only the steward can change the reason. */
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
  /** From the step that made it fail; what is completed stays. */
  task_retried: { readonly task_id: string; readonly by: Actor };
  task_completed: {
    readonly task_id: string;
    readonly summary: string | null;
    readonly session: SessionEnd | null;
    readonly message: NewMessage | null;
  };
  /** One that is over: its rows are gone, what it cost stays. */
  task_removed: { readonly task_id: string; readonly by: Actor };
  /** Steps that ended, are skipped, and begin, in one line: a kill finds all of it or nothing. */
  task_stepped: {
    readonly task_id: string;
    readonly ended: readonly StepEnd[];
    readonly skipped: readonly number[];
    readonly started: readonly StepStart[];
    readonly message: NewMessage | null;
  };
  /** A running step waits for the steward, and goes again with the answer. */
  task_step_asked: { readonly task_id: string; readonly step_id: number; readonly approval: NewApproval };
  /** A running step waits for a time: the next day's money, a provider that is away. */
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
  /** How far it is, told after its interval. */
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
