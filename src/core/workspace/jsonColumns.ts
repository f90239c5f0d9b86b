/**
 * Schemas of the columns that hold lists and objects, for rows from another workspace. Only the form is checked: limits on length and content applied
 * when the row was written, and an export must be restored unchanged.
 */
import { z } from 'zod';
import { executorsSchema } from '../../shared/agent/executorSchemas.ts';
import { COMMIT_AUTHORS, CONVERSATION_MODES, GATES, MERGE_MODES, RETURN_CAUSES } from '../../shared/job/rows.ts';
import { TODO_STATES } from '../../shared/job/todo.ts';
import { EFFORT_ROLES, EFFORTS } from '../../shared/model/effort.ts';
import { PROVIDERS } from '../../shared/model/models.ts';
import { LADDER_ROLES, ROUTINGS } from '../../shared/routing.ts';
import { WORK_KINDS } from '../../shared/rule/rules.ts';
import { COMPLETION_BEHAVIORS, ERROR_MODES, type Json, type JsonObject } from '../../shared/task/tasks.ts';
import { CALL_WAITS } from '../../shared/waiting.ts';
import type { TableName, Tables } from '../../shared/workspace/state.ts';
import type { Fields } from '../text/json.ts';

type JsonColumns = {
  readonly [T in TableName]: {
    readonly [C in keyof Tables[T] as NonNullable<Tables[T][C]> extends string | number | boolean
      ? never
      : C]-?: z.ZodType<Tables[T][C]>;
  };
};

const text = z.string();
const texts = z.array(text);
const count = z.int();
const ids = z.array(count);
const none = z.null();
const orNone = <T extends z.ZodType>(schema: T) => z.union([schema, none]);
const json = z.json() as unknown as z.ZodType<Json>;
const jsonObject = z.record(text, json) as unknown as z.ZodType<JsonObject>;
const executors = executorsSchema;

const tier = z.strictObject({
  upTo: orNone(count),
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number().exactOptional(),
});
const terms = z.record(text, z.strictObject({ tiers: orNone(z.array(tier)), window: orNone(count), source: text }));

const options = z.strictObject({
  gates: z.array(z.enum(GATES)),
  mergeMode: z.enum(MERGE_MODES),
  provider: z.enum(PROVIDERS),
  scenario: orNone(text),
  models: z.strictObject({ planner: text, worker: text, reviewer: text, summarizer: text }),
  effort: z.partialRecord(z.enum(EFFORT_ROLES), z.enum(EFFORTS)).exactOptional(),
  routing: z.enum(ROUTINGS).exactOptional(),
  ladders: z.partialRecord(z.enum(LADDER_ROLES), texts).exactOptional(),
  executors: executors.exactOptional(),
  setup: orNone(texts),
  budgetMicroUsd: orNone(count),
  terms: terms.exactOptional(),
  unpricedLimits: z.strictObject({ calls: count, tokens: count }).exactOptional(),
  attempt: z.strictObject({ turns: count, tokens: count, seconds: z.number(), microUsd: count }),
  maxPhaseAttempts: count,
  maxRetries: count,
  batch: count,
  lanes: count.exactOptional(),
  conversation: z.enum(CONVERSATION_MODES).exactOptional(),
  reviewEachFeature: z.boolean(),
  commitAuthor: z.enum(COMMIT_AUTHORS).exactOptional(),
  allowedCommands: z.array(texts),
});

const merge = z.strictObject({
  mode: z.enum(MERGE_MODES),
  target: text,
  commit: orNone(text),
  previous: orNone(text),
  checkedOut: z.boolean(),
  rolledBack: z.boolean(),
  note: orNone(text),
});

const planFeature = z.strictObject({
  name: text,
  description: text,
  category: text,
  testing_steps: texts,
  depends_on: texts,
  verify_commands: texts.optional(),
  paths: texts.optional(),
  id: count.optional(),
});

const plan = z.strictObject({
  title: text,
  phases: z.array(
    z.strictObject({
      title: text,
      objective: text,
      acceptance_criteria: texts,
      verify_commands: texts,
      features: z.array(planFeature),
      id: count.optional(),
    }),
  ),
  setup: texts.optional(),
  findings: text.optional(),
  assumptions: texts.optional(),
  questions: texts.optional(),
});

const evidence = z.strictObject({
  command: text,
  exitCode: orNone(count),
  ended: orNone(text),
  durationMs: z.number(),
  artifact: text,
  tail: text,
  commit: text,
  sandboxed: z.boolean(),
  fresh: z.strictObject({ inTree: orNone(z.enum(['passed', 'failed'])) }).optional(),
});

const periods = z.array(z.tuple([text, text]));

const verdict = z.strictObject({
  verdict: z.enum(['APPROVED', 'REJECTED', 'ESCALATE']),
  reason: text,
  feedback: text,
  reopen: texts,
});

const limits = z.strictObject({
  dayMicroUsd: orNone(count),
  totalMicroUsd: orNone(count),
  tokens: orNone(count),
  toolCalls: orNone(count),
});

const step = z.strictObject({
  name: text,
  action: text,
  params: jsonObject,
  isCheckpoint: z.boolean(),
  onError: z.enum(ERROR_MODES),
  maxRetries: count,
  backoffSeconds: z.number(),
  needs: texts.optional(),
  output: jsonObject.optional(),
});

const definition = z.strictObject({
  name: text,
  description: text,
  objective: text,
  estimatedDurationMinutes: z.number().optional(),
  completionBehavior: z.enum(COMPLETION_BEHAVIORS),
  notifyOnProgress: z.boolean(),
  progressIntervalMinutes: z.number(),
  maxParallel: count,
  budgetUsd: z.number().optional(),
  provider: z.enum(PROVIDERS).optional(),
  scenario: text.optional(),
  model: text.optional(),
  steps: z.array(step),
});

const wait = orNone(z.strictObject({ code: z.enum(CALL_WAITS), reason: text, since: text, until: orNone(text) }));

/** Forgetting a column, or naming one too many, is a type error. */
const JSON_COLUMNS: JsonColumns = {
  projects: {
    executors: orNone(executors),
    limits,
    heartbeat: orNone(z.strictObject({ minutes: z.number(), prompt: text })),
    wait,
  },
  messages: {},
  jobs: {
    options,
    merge: orNone(merge),
    wait,
    machine: orNone(
      z.strictObject({
        sandboxed: z.boolean(),
        os: text,
        shell: text,
        tools: z.array(z.strictObject({ name: text, version: orNone(text) })),
      }),
    ),
    setup_ran: orNone(z.array(z.strictObject({ command: text, exitCode: orNone(count) }))),
    setup_added: texts,
    setup_removed: orNone(z.strictObject({ paths: texts, more: count })),
    setup_gap: orNone(z.strictObject({ manifest: text, command: text })),
    baseline_checks: orNone(z.array(evidence)),
    result_failed: texts,
    result_checks: orNone(z.strictObject({ commit: text, evidence: z.array(evidence), base: z.array(evidence) })),
    base_merges: z.array(
      z.strictObject({
        base: text,
        onto: orNone(text),
        head: text,
        gained: orNone(z.strictObject({ count, subjects: texts })),
      }),
    ),
  },
  plans: { plan },
  phases: { acceptance_criteria: texts, verify_commands: texts },
  features: {
    testing_steps: texts,
    verify_commands: texts,
    depends_on: ids,
    paths: texts,
    executors: orNone(texts),
    candidates: ids,
  },
  attempts: {
    evidence: z.array(evidence),
    changed: orNone(z.strictObject({ files: count, added: count, removed: count })),
    verdict: orNone(verdict),
    returns: z.array(
      z.strictObject({
        cause: z.enum(RETURN_CAUSES),
        base: text.exactOptional(),
        onto: text,
        paths: texts,
        detail: text,
        at: text,
      }),
    ),
    todo: z.array(z.strictObject({ text, state: z.enum(TODO_STATES) })),
    route: orNone(z.strictObject({ mode: z.enum(['suggest', 'on']), model: text, reason: text })),
    periods,
  },
  sessions: { notes: ids, periods },
  notes: {},
  approvals: {
    executables: texts,
    choices: texts,
    facts: orNone(
      z.strictObject({
        provider: z.enum(PROVIDERS),
        work: orNone(z.enum(WORK_KINDS)),
        files: count,
        lines: count,
        categories: texts,
        microUsd: orNone(count),
        verified: z.boolean(),
      }),
    ),
  },
  rules: { categories: texts },
  spends: {},
  tasks: { steps: ids, wait },
  task_steps: { params: jsonObject, needs: orNone(texts), output: orNone(jsonObject), result: json, wait },
  task_logs: { data: jsonObject },
  schedules: { definition },
};

/** Describes a fault in the columns of a row, with the column's name first. Null if there is none. */
export function jsonFault(table: TableName, row: Fields): string | null {
  for (const [name, form] of Object.entries(JSON_COLUMNS[table]) as [string, z.ZodType][]) {
    const [issue] = form.safeParse(row[name]).error?.issues ?? [];
    if (issue !== undefined) return `${[name, ...issue.path].join('.')}: ${issue.message}`;
  }
  return null;
}
