/**
 * Schemas of the bodies of requests and of the answers of lists; the others are in `shared/task/taskApi.ts` and
 * `shared/task/tasks.ts`.
 */
import { z } from 'zod';
import { taskDetailsSchema, taskSummarySchema } from '../../shared/task/taskApi.ts';
import { stepSchema, TASK_LIMITS, TASK_STATUSES, taskSchema } from '../../shared/task/tasks.ts';
import { API_LIMITS } from './limits.ts';

const placed = {
  project: z.string().min(1).max(64).optional().describe('The project that it belongs to. Default: default'),
  start: z.boolean().default(false).describe('Start it at once'),
};

const templated = z.strictObject({
  ...placed,
  template: z.string().min(1).max(64),
  parameters: z
    .record(z.string().max(64), z.union([z.string().max(16_384), z.number(), z.boolean()]))
    .default({})
    .describe('Values for the parameters of the template'),
});

/** A definition, or a template of that name with its parameters. */
export const newTaskSchema = z.union([taskSchema.extend(placed), templated]);

export const newStepsSchema = z.strictObject({ steps: z.array(stepSchema).min(1).max(TASK_LIMITS.steps) });

export const nothingSchema = z.strictObject({});

export const reasonSchema = z.strictObject({ reason: z.string().max(TASK_LIMITS.textCharacters).optional() });

export const resumeSchema = z.strictObject({
  budgetUsd: z
    .number()
    .positive()
    .max(1_000_000)
    .nullable()
    .optional()
    .describe('Its new limit in all, null for none; left out, it stays'),
});

const page = {
  project: z.string().min(1).max(64).optional(),
  limit: z.coerce.number().int().min(1).max(API_LIMITS.maxPage).default(API_LIMITS.page),
  cursor: z.string().max(200).optional().describe('nextCursor of the page before'),
};

export const activeQuerySchema = z.strictObject(page);
export const listQuerySchema = z.strictObject({ status: z.enum(TASK_STATUSES).optional(), ...page });

export const taskPageSchema = z.object({
  /** Newest first. */
  tasks: z.array(taskSummarySchema),
  nextCursor: z.string().nullable().describe('Null on the last page'),
});

/** `problems`: reasons why a start would be refused now. */
export const definedTaskSchema = taskDetailsSchema.extend({ problems: z.array(z.string()) });

export const healthSchema = z.object({ status: z.literal('ok') });
