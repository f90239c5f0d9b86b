/**
 * Long-running tasks: a script of steps inside a project. Rows of the tables, and the definition as people, programs and agents write it (camel case,
 * as in seed 004). `core/task/script` checks a definition beyond its form.
 */

import { z } from 'zod';
import { PROVIDERS, type ProviderName } from '../model/models.ts';
import type { NoticeLevel } from '../notice.ts';
import type { Wait } from '../waiting.ts';
import { CUSTOM_ACTION } from './customAction.ts';

export const TASK_STATUSES = ['PENDING', 'RUNNING', 'PAUSED', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** `SKIPPED`: a branch that was not taken. `CANCELLED`: its task ended before it did. */
export const STEP_STATUSES = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'SKIPPED', 'CANCELLED'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

export const COMPLETION_BEHAVIORS = ['SILENT', 'NOTIFY_USER', 'NOTIFY_AND_SUMMARIZE'] as const;
export type CompletionBehavior = (typeof COMPLETION_BEHAVIORS)[number];

/** Effect of a step's failure: the task fails, the step is retried, or the task continues without its result. */
export const ERROR_MODES = ['abort', 'retry', 'continue'] as const;
export type ErrorMode = (typeof ERROR_MODES)[number];

export const BUILT_IN_ACTIONS = [
  'llm_generate',
  'wait',
  'conditional',
  'aggregate',
  'notify',
  'run_brief',
  'command',
  'http_get',
  'approval',
] as const;
export type BuiltInAction = (typeof BUILT_IN_ACTIONS)[number];

/** Events of a task that its followers receive: those of seed 004. */
export const TASK_EVENTS = [
  'task:started',
  'task:progress',
  'task:step_completed',
  'task:checkpoint',
  'task:completed',
  'task:failed',
  'task:paused',
  'task:cancelled',
] as const;
export type TaskEventName = (typeof TASK_EVENTS)[number];

/** Limits of a definition. A larger one is refused with the number; nothing is cut. */
export const TASK_LIMITS = {
  steps: 1_000,
  nameCharacters: 120,
  textCharacters: 64 * 1024,
  /** Bytes of a definition as text. */
  definitionBytes: 2 * 1024 * 1024,
  /** Limit of steps that run in parallel. */
  parallel: 16,
  retries: 10,
  backoffSeconds: 24 * 60 * 60,
  /** Longest wait: a year. */
  waitMinutes: 366 * 24 * 60,
  /** Bytes of one step's result as JSON; kept in the row up to `inlineBytes`, else in an artifact. */
  resultBytes: 4 * 1024 * 1024,
  inlineBytes: 16 * 1024,
  /** Lists and objects within each other, in a result. */
  resultDepth: 100,
} as const;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export interface TaskRow {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly description: string;
  readonly objective: string;
  readonly status: TaskStatus;
  /** The reason for the status, for a person. */
  readonly reason: string | null;
  /** The cause for which a model call for a summary of the task is waiting. Null if no call is waiting. */
  readonly wait: Wait | null;
  readonly estimated_duration_minutes: number | null;
  readonly completion_behavior: CompletionBehavior;
  readonly notify_on_progress: boolean;
  readonly progress_interval_minutes: number;
  readonly max_parallel: number;
  readonly budget_micro_usd: number | null;
  /** Provider of its model steps. Null for its project's provider. */
  readonly provider: ProviderName | null;
  readonly scenario: string | null;
  readonly model: string | null;
  /** Ids of its steps, in order. */
  readonly steps: readonly number[];
  /** The template that the task was created from. */
  readonly template: string | null;
  readonly schedule_id: number | null;
  /** For a task of a schedule: the time that it was due at. */
  readonly due_at: string | null;
  readonly created_by: TaskOrigin;
  readonly last_checkpoint_summary: string | null;
  readonly last_checkpoint_at: string | null;
  /** Summary of the whole task, if its definition requests one. */
  readonly summary: string | null;
  /** Time of the last progress message. */
  readonly progress_told_at: string | null;
  /** Absolute path of the clone in which its commands run, and its commit. Null until the clone is created. */
  readonly clone_dir: string | null;
  readonly clone_commit: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  /** While it is paused. */
  readonly paused_at: string | null;
  /** Time spent paused, without that since `paused_at`. */
  readonly paused_ms: number;
  readonly ended_at: string | null;
}

/**
 * A person, a program at the API, the main agent or an agent that speaks through it (MCP, a language model), a project's conversation, or a schedule.
 */
export const TASK_ORIGINS = ['steward', 'api', 'main', 'agent', 'schedule'] as const;
export type TaskOrigin = (typeof TASK_ORIGINS)[number];

export interface TaskStepRow {
  readonly id: number;
  readonly task_id: string;
  /** Counts from 1, in the order of the task. */
  readonly number: number;
  readonly name: string;
  readonly action: string;
  readonly params: JsonObject;
  readonly is_checkpoint: boolean;
  readonly on_error: ErrorMode;
  readonly max_retries: number;
  readonly backoff_seconds: number;
  /** Names of steps that must end first. Null for the preceding step. */
  readonly needs: readonly string[] | null;
  /** JSON Schema that its result must meet. Null for none. */
  readonly output: JsonObject | null;
  readonly status: StepStatus;
  /** Failed attempts so far. Interrupted attempts are not counted. */
  readonly tries: number;
  /** Consecutive interruptions by the end of the process that ran it. */
  readonly crashes: number;
  readonly error: string | null;
  /** Result of a completed step. Also null if an artifact contains it. */
  readonly result: Json;
  /** Name in `.autonomous/artifacts` of a result that is too long for a row, as JSON. */
  readonly result_artifact: string | null;
  readonly result_bytes: number;
  /** For RUNNING: the end of a wait. For PENDING: the time of the next attempt. */
  readonly wake_at: string | null;
  /** The cause for which its model call is waiting. Null if no call is waiting. */
  readonly wait: Wait | null;
  /** The job of a `run_brief` step. */
  readonly job_id: string | null;
  /** The open question of an `approval` step, or of a command without a sandbox. */
  readonly approval_id: number | null;
  /** The session that answers it. */
  readonly session_id: number | null;
  /** For a checkpoint: `due` from its completion until its summary is stored. */
  readonly checkpoint: 'due' | 'done' | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

/** Log of a task in the order of events: for people, and for followers that connect later. */
export interface TaskLogRow {
  readonly id: number;
  /** Number of the described event in the log: a replay starts there. Several rows may describe one event. */
  readonly seq: number;
  readonly task_id: string;
  readonly step_id: number | null;
  readonly level: NoticeLevel;
  /** Null for a row that only the log has. */
  readonly event: TaskEventName | null;
  readonly text: string;
  readonly data: JsonObject;
  readonly at: string;
}

/** A schedule: a task that is created repeatedly. */
export interface ScheduleRow {
  readonly id: number;
  readonly project_id: string;
  readonly name: string;
  /** Five fields, or six with seconds first. */
  readonly cron: string;
  /** IANA name. */
  readonly time_zone: string;
  /** Definition of each of its tasks, with its parameters filled in. */
  readonly definition: TaskDefinition;
  readonly enabled: boolean;
  /** Ended tasks of it that are kept; older ones are removed with their steps and logs. */
  readonly keep: number;
  /** The newest due time that has a task. */
  readonly last_due: string | null;
  /** Time at which it was created, got other times, or was switched on: no earlier time counts as missed. */
  readonly since: string;
}

const jsonObject = z.record(z.string(), z.json()) as unknown as z.ZodType<JsonObject>;
const name = z
  .string()
  .min(1)
  .max(TASK_LIMITS.nameCharacters)
  .refine((text) => text === text.trim() && !/[{}\p{Cc}]/u.test(text), 'no braces, line breaks or blanks at its ends');
const text = z.string().max(TASK_LIMITS.textCharacters);

export const stepSchema = z.strictObject({
  name: name.describe('Unique in the task; later steps refer to its result by {{name}}'),
  action: z
    .string()
    .refine((word) => (BUILT_IN_ACTIONS as readonly string[]).includes(word) || CUSTOM_ACTION.test(word), {
      error: `one of ${BUILT_IN_ACTIONS.join(', ')}, or an action of another extension as publisher.extension/action`,
    })
    .describe('What it does'),
  params: jsonObject.default({}).describe('What the action needs'),
  isCheckpoint: z.boolean().default(false).describe('Sum up the results so far when it is completed'),
  onError: z.enum(ERROR_MODES).default('abort'),
  maxRetries: z.int().min(1).max(TASK_LIMITS.retries).default(3).describe('With onError: retry'),
  backoffSeconds: z
    .number()
    .min(0)
    .max(TASK_LIMITS.backoffSeconds)
    .default(10)
    .describe('Before the first retry; doubled each time'),
  needs: z
    .array(name)
    .max(TASK_LIMITS.steps)
    .optional()
    .describe('Names of steps that must end first; defaults to the step before it'),
  output: jsonObject.optional().describe('JSON Schema that its result must meet'),
});

const TASK_FIELDS = {
  name,
  description: text.default(''),
  objective: text.default(''),
  estimatedDurationMinutes: z.number().positive().max(TASK_LIMITS.waitMinutes).optional(),
  completionBehavior: z.enum(COMPLETION_BEHAVIORS).default('NOTIFY_USER'),
  notifyOnProgress: z.boolean().default(false),
  progressIntervalMinutes: z.number().min(1).max(TASK_LIMITS.waitMinutes).default(30),
  maxParallel: z.int().min(1).max(TASK_LIMITS.parallel).default(4),
  budgetUsd: z.number().positive().max(1_000_000).optional(),
  provider: z.enum(PROVIDERS).optional(),
  /** Only for the provider `simulated`. */
  scenario: z.string().max(4096).optional(),
  model: z.string().min(1).max(200).optional(),
};

/** A task in its written form. Unknown fields are refused. */
export const taskSchema = z.strictObject({
  ...TASK_FIELDS,
  steps: z.array(stepSchema).max(TASK_LIMITS.steps).default([]),
});

const parameterSchema = z.strictObject({
  description: z.string().max(1_000).default(''),
  /** Its type is that of the value. If absent, the parameter is required. */
  default: z.union([z.string().max(16_384), z.number(), z.boolean()]).optional(),
  choices: z
    .array(z.union([z.string(), z.number()]))
    .min(1)
    .max(100)
    .optional(),
});

/** A template: a task with blanks `{{params.x}}`, one YAML file. */
export const templateSchema = taskSchema.extend({
  parameters: z.record(z.string().regex(/^[a-zA-Z]\w{0,63}$/), parameterSchema).default({}),
});

export type StepDefinition = z.output<typeof stepSchema>;
export type TaskDefinition = z.output<typeof taskSchema>;
export type TaskTemplate = z.output<typeof templateSchema>;
export type TaskInput = z.input<typeof taskSchema>;
export type StepInput = z.input<typeof stepSchema>;
