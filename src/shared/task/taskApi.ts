/**
 * Schemas of tasks for the terminal's --json, the page, HTTP, WebSocket and the tool. The OpenAPI document is generated from them; the views in
 * `core/task/view/tasks.ts` build the values. Times are ISO 8601 UTC, money is USD.
 */
import { z } from 'zod';
import { APPROVAL_KINDS } from '../approval.ts';
import { NOTICE_LEVELS } from '../notice.ts';
import { WAIT_ACTIONS, WAIT_CODES, WAITS_FOR } from '../waiting.ts';
import { COMPLETION_BEHAVIORS, ERROR_MODES, STEP_STATUSES, TASK_EVENTS, TASK_ORIGINS, TASK_STATUSES } from './tasks.ts';

const time = z.iso.datetime();
const milliseconds = z.number().nonnegative();
const usd = z.number().nonnegative();
/** Cost of its calls, as `Spent` in `money.ts`. */
const spent = {
  costUsd: usd.describe('settled'),
  reservedUsd: usd.describe('reserved for calls in flight, at most'),
  unsettledUsd: usd.describe('perhaps billed, at most'),
};

export const etaSchema = z.object({
  /** Null if unknown. */
  remainingMs: milliseconds.nullable(),
  at: time.nullable(),
  /** Source of the estimate: known waits, this project's earlier steps, this task's elapsed steps, or the estimate that the task was created with. */
  source: z.enum(['waits', 'history', 'elapsed', 'estimate']).nullable(),
});

const waitingSchema = z.object({
  code: z.enum(WAIT_CODES),
  reason: z.string(),
  since: time.nullable(),
  /** Time of the next attempt, or the end of the wait. Null if no time is known. */
  until: time.nullable(),
  /** The party that ends the wait. */
  who: z.enum(WAITS_FOR),
  /** Actions that a person can take now, the best first. */
  now: z.array(z.enum(WAIT_ACTIONS)),
  approvalId: z.int().nullable(),
});

export const taskSummarySchema = z.object({
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  status: z.enum(TASK_STATUSES),
  reason: z.string().nullable(),
  /** The reason why the task does not continue. Null if it runs, has ended or was not started. */
  waiting: waitingSchema.nullable(),
  percent: z.int().min(0).max(100),
  stepsDone: z.int(),
  stepsTotal: z.int(),
  /** Names of the steps that run. */
  current: z.array(z.string()),
  /** Questions of it that wait for the steward. */
  questions: z.array(z.object({ id: z.int(), kind: z.enum(APPROVAL_KINDS), question: z.string() })),
  elapsedMs: milliseconds,
  eta: etaSchema,
  ...spent,
  /** True if its model is simulated: then the money is not real. */
  simulated: z.boolean(),
  template: z.string().nullable(),
  scheduleId: z.int().nullable(),
  createdBy: z.enum(TASK_ORIGINS),
  createdAt: time,
  startedAt: time.nullable(),
  endedAt: time.nullable(),
});

export const stepViewSchema = z.object({
  id: z.int(),
  number: z.int(),
  name: z.string(),
  action: z.string(),
  params: z.record(z.string(), z.json()),
  isCheckpoint: z.boolean(),
  onError: z.enum(ERROR_MODES),
  maxRetries: z.int(),
  backoffSeconds: z.number(),
  /** Names of the steps that must be over first, those it refers to included. */
  needs: z.array(z.string()),
  status: z.enum(STEP_STATUSES),
  tries: z.int(),
  error: z.string().nullable(),
  /** The reason why the step does not continue. Null if it runs, has ended or has not started. */
  waiting: waitingSchema.nullable(),
  /** Also null if it is too long for this response: then `resultBytes` is set and the report contains it. */
  result: z.json(),
  resultBytes: z.int(),
  wakeAt: time.nullable(),
  jobId: z.string().nullable(),
  questionId: z.int().nullable(),
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  durationMs: milliseconds.nullable(),
  ...spent,
});

export const taskLogSchema = z.object({
  seq: z.int(),
  at: time,
  level: z.enum(NOTICE_LEVELS),
  event: z.enum(TASK_EVENTS).nullable(),
  step: z.int().nullable(),
  text: z.string(),
});

export const taskDetailsSchema = taskSummarySchema.extend({
  description: z.string(),
  objective: z.string(),
  estimatedDurationMinutes: z.number().nullable(),
  completionBehavior: z.enum(COMPLETION_BEHAVIORS),
  notifyOnProgress: z.boolean(),
  progressIntervalMinutes: z.number(),
  maxParallel: z.int(),
  budgetUsd: usd.nullable(),
  lastCheckpointSummary: z.string().nullable(),
  summary: z.string().nullable(),
  steps: z.array(stepViewSchema),
  /** The newest lines, oldest first. */
  log: z.array(taskLogSchema),
});

export const taskProgressSchema = taskSummarySchema
  .pick({
    name: true,
    status: true,
    reason: true,
    waiting: true,
    percent: true,
    stepsDone: true,
    stepsTotal: true,
    current: true,
    questions: true,
    elapsedMs: true,
    eta: true,
    costUsd: true,
    reservedUsd: true,
    unsettledUsd: true,
  })
  .extend({
    taskId: z.string(),
    lastCheckpointSummary: z.string().nullable(),
    /** The next time at which a step resumes without an answer. */
    nextWakeAt: time.nullable(),
  });

export const taskReportSchema = z.object({
  taskId: z.string(),
  status: z.enum(TASK_STATUSES),
  /** Markdown, for people and for models. */
  report: z.string(),
});

/** One event of a task for WebSocket clients. */
export const taskEventSchema = z.object({
  /** Number of the event in the log, after which a replay resumes. Several entries may have the same one. */
  seq: z.int(),
  event: z.enum(TASK_EVENTS),
  taskId: z.string(),
  projectId: z.string(),
  at: time,
  text: z.string(),
  data: z.record(z.string(), z.json()),
});

export type Eta = z.output<typeof etaSchema>;
export type TaskSummary = z.output<typeof taskSummarySchema>;
export type StepView = z.output<typeof stepViewSchema>;
export type TaskDetails = z.output<typeof taskDetailsSchema>;
export type TaskProgress = z.output<typeof taskProgressSchema>;
export type TaskReport = z.output<typeof taskReportSchema>;
export type TaskEvent = z.output<typeof taskEventSchema>;
