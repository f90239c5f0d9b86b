/**
 * Long-running tasks: a script of steps inside a project. Rows as the tables hold them, and the definition as people, programs
 * and agents write it (camel case, as in seed 004). What a definition may hold beyond its form is checked in `core/task/script`.
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

/** What a step's failure means: the task fails, the step is tried again, or the task goes on without its result. */
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

/** Events of a task that its followers hear: those of seed 004. */
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

/** Bounds of a definition. What is larger is refused with the number; nothing is cut. */
export const TASK_LIMITS = {
  steps: 1_000,
  nameCharacters: 120,
  textCharacters: 64 * 1024,
  /** Bytes of a definition as text. */
  definitionBytes: 2 * 1024 * 1024,
  /** Of steps side by side. */
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
  /** Why it has this status, for a person. */
  readonly reason: string | null;
  /** What a model call for a summary of it waits for; null if none waits. */
  readonly wait: Wait | null;
  readonly estimated_duration_minutes: number | null;
  readonly completion_behavior: CompletionBehavior;
  readonly notify_on_progress: boolean;
  readonly progress_interval_minutes: number;
  readonly max_parallel: number;
  readonly budget_micro_usd: number | null;
  /** Who answers its model steps; null: as its project's conversation. */
  readonly provider: ProviderName | null;
  readonly scenario: string | null;
  readonly model: string | null;
  /** Ids of its steps, in their order. */
  readonly steps: readonly number[];
  /** The template that it was made of. */
  readonly template: string | null;
  readonly schedule_id: number | null;
  /** Of a recurring one: the time that it was due at. */
  readonly due_at: string | null;
  readonly created_by: TaskOrigin;
  readonly last_checkpoint_summary: string | null;
  readonly last_checkpoint_at: string | null;
  /** Of the whole, where it is to be summarized at its end. */
  readonly summary: string | null;
  /** When its progress was last told. */
  readonly progress_told_at: string | null;
  /** Absolute path of the clone that its commands run in, once made, and the commit that it is of. */
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

/** A person, a program at the API, the main agent or who speaks through it (MCP, a language model), a project's own conversation, or a schedule. */
export const TASK_ORIGINS = ['steward', 'api', 'main', 'agent', 'schedule'] as const;
export type TaskOrigin = (typeof TASK_ORIGINS)[number];

export interface TaskStepRow {
  readonly id: number;
  readonly task_id: string;
  /** From 1, in the order of the task. */
  readonly number: number;
  readonly name: string;
  readonly action: string;
  readonly params: JsonObject;
  readonly is_checkpoint: boolean;
  readonly on_error: ErrorMode;
  readonly max_retries: number;
  readonly backoff_seconds: number;
  /** Names of steps that must be over first; null: the one before it. */
  readonly needs: readonly string[] | null;
  /** JSON Schema that its result must meet; null: none. */
  readonly output: JsonObject | null;
  readonly status: StepStatus;
  /** Failed tries so far; a try that was interrupted is none. */
  readonly tries: number;
  /** Times that it was interrupted in a row by the death of what carried it out. */
  readonly crashes: number;
  readonly error: string | null;
  /** Of a completed step; null too where it lies in an artifact. */
  readonly result: Json;
  /** Name in `.autonomous/artifacts` of a result that is too long for a row, as JSON. */
  readonly result_artifact: string | null;
  readonly result_bytes: number;
  /** RUNNING: a wait's end. PENDING: the next try. */
  readonly wake_at: string | null;
  /** What its model call waits for; null if none waits. */
  readonly wait: Wait | null;
  /** What a `run_brief` waits for. */
  readonly job_id: string | null;
  /** What an `approval`, or a command without a sandbox, waits for. */
  readonly approval_id: number | null;
  /** The session that answers it. */
  readonly session_id: number | null;
  /** Of a checkpoint: `due` from its completion until its summary is there. */
  readonly checkpoint: 'due' | 'done' | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

/** What happened to a task, in the order of the log: for people, and for followers that come later. */
export interface TaskLogRow {
  readonly id: number;
  /** Of the event in the log that it tells of: where a replay begins. Several rows may tell of one. */
  readonly seq: number;
  readonly task_id: string;
  readonly step_id: number | null;
  readonly level: NoticeLevel;
  /** null: for the log alone. */
  readonly event: TaskEventName | null;
  readonly text: string;
  readonly data: JsonObject;
  readonly at: string;
}

/** A task that comes again and again. */
export interface ScheduleRow {
  readonly id: number;
  readonly project_id: string;
  readonly name: string;
  /** Five fields, or six with seconds first. */
  readonly cron: string;
  /** IANA name. */
  readonly time_zone: string;
  /** What each task of it is made of, its parameters filled in. */
  readonly definition: TaskDefinition;
  readonly enabled: boolean;
  /** Ended tasks of it that are kept; older ones are removed with their steps and logs. */
  readonly keep: number;
  /** The newest time that a task was made for. */
  readonly last_due: string | null;
  /** When it was made, got other times, or was switched on again: no time before was missed. */
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
    .describe('Names of steps that must be over first; left out: the step before it'),
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
  /** Of the provider `simulated`. */
  scenario: z.string().max(4096).optional(),
  model: z.string().min(1).max(200).optional(),
};

/** A task as it is written: everything is known. */
export const taskSchema = z.strictObject({
  ...TASK_FIELDS,
  steps: z.array(stepSchema).max(TASK_LIMITS.steps).default([]),
});

const parameterSchema = z.strictObject({
  description: z.string().max(1_000).default(''),
  /** Its type is that of the value; absent: it must be given. */
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
