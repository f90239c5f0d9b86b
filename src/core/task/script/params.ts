/**
 * Params of each built-in action. A text that consists of one reference may become any value: it is left out of the check before the start, and
 * checked once it is filled in.
 */
import { z } from 'zod';
import { GATES, MERGE_MODES } from '../../../shared/job/rows.ts';
import { NOTICE_LEVELS } from '../../../shared/notice.ts';
import { type BuiltInAction, type Json, type JsonObject, TASK_LIMITS } from '../../../shared/task/tasks.ts';
import { type Path, pieces } from './references.ts';

/** Characters of a text with everything filled in. */
export const FILLED_CHARACTERS = 1024 * 1024;
/** Limit of a condition in its written form. */
export const CONDITION_CHARACTERS = 2_000;
const MAX_SECONDS = 24 * 60 * 60;

const longText = z.string().min(1).max(FILLED_CHARACTERS);
const stepName = z.string().min(1).max(TASK_LIMITS.nameCharacters);
const branch = z.union([stepName, z.array(stepName).max(TASK_LIMITS.steps)]).optional();

export const PARAMS = {
  llm_generate: z.strictObject({
    prompt: longText,
    systemPrompt: longText.optional(),
    maxTokens: z.int().min(1).max(64_000).optional(),
    temperature: z.number().min(0).max(1).optional(),
  }),
  wait: z
    .strictObject({
      minutes: z.number().min(0).max(TASK_LIMITS.waitMinutes).optional(),
      until: z.iso.datetime({ offset: true }).optional(),
    })
    .refine(({ minutes, until }) => (minutes === undefined) !== (until === undefined), {
      error: 'say either minutes or until',
    }),
  conditional: z.strictObject({
    condition: z.string().min(1).max(CONDITION_CHARACTERS),
    ifTrue: branch,
    ifFalse: branch,
  }),
  aggregate: z.strictObject({
    keys: z.array(z.string().min(1).max(2_000)).min(1).max(TASK_LIMITS.steps),
    operation: z.enum(['concat', 'merge', 'list']).default('concat'),
    separator: z.string().max(1_000).default('\n\n'),
  }),
  notify: z.strictObject({
    title: z.string().min(1).max(500),
    message: z.string().max(TASK_LIMITS.textCharacters).default(''),
    type: z.enum(NOTICE_LEVELS).default('info'),
  }),
  run_brief: z.strictObject({
    brief: z
      .string()
      .min(1)
      .max(256 * 1024),
    gates: z.array(z.enum(GATES)).max(GATES.length).optional(),
    mergeMode: z.enum(MERGE_MODES).optional(),
    budgetUsd: z.number().positive().max(1_000_000).optional(),
  }),
  command: z.strictObject({
    command: z
      .string()
      .min(1)
      .max(128 * 1024),
    timeoutSeconds: z.number().min(1).max(MAX_SECONDS).default(600),
    network: z.enum(['none', 'registries']).default('none'),
  }),
  http_get: z.strictObject({
    url: z.url({ protocol: /^https?$/ }).max(8_192),
    headers: z.record(z.string().regex(/^[\w-]{1,100}$/), z.string().max(8_192)).optional(),
    as: z.enum(['text', 'json']).default('text'),
    maxBytes: z.int().min(1).max(TASK_LIMITS.resultBytes).default(1_000_000),
    timeoutSeconds: z.number().min(1).max(600).default(30),
  }),
  approval: z.strictObject({
    question: z.string().min(1).max(TASK_LIMITS.textCharacters),
    detail: z.string().max(FILLED_CHARACTERS).default(''),
    choices: z.array(z.string().min(1).max(100)).max(10).default([]),
  }),
} as const satisfies Record<BuiltInAction, z.ZodType>;

export type ParamsOf<A extends BuiltInAction> = z.output<(typeof PARAMS)[A]>;

export const isBuiltIn = (action: string): action is BuiltInAction => Object.hasOwn(PARAMS, action);

export interface ParamProblem {
  /** Within the params; empty for them as a whole. */
  readonly path: Path;
  readonly text: string;
}

/** Params with all references filled in, or their problems. */
export function readParams<A extends BuiltInAction>(
  action: A,
  params: JsonObject,
  nowMs: number,
): { readonly ok: true; readonly params: ParamsOf<A> } | { readonly ok: false; readonly error: string } {
  const problems = paramProblems(action, params, nowMs, false);
  if (problems.length > 0) {
    return { ok: false, error: problems.map(({ path, text }) => [...path, text].join(': ')).join('; ') };
  }
  return { ok: true, params: PARAMS[action].parse(params) as ParamsOf<A> };
}

/** Problems for which a start would be refused, with references not yet filled in. */
export const writtenParamProblems = (action: BuiltInAction, params: JsonObject, nowMs: number) =>
  paramProblems(action, params, nowMs, true);

function paramProblems(
  action: BuiltInAction,
  params: JsonObject,
  nowMs: number,
  isWritten: boolean,
): readonly ParamProblem[] {
  const { success, error } = PARAMS[action].safeParse(params);
  const problems = success
    ? []
    : error.issues.flatMap((issue): readonly ParamProblem[] =>
        isWritten && isOneReference(at(params, issue.path)) ? [] : toProblems(issue),
      );
  return action === 'wait' ? [...problems, ...tooFar(params, nowMs)] : problems;
}

/** Reports a missing or unknown param by its name on the parent, because the param has no position. */
function toProblems(issue: z.core.$ZodIssue): readonly ParamProblem[] {
  const path = plainPath(issue.path);
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ path, text: `there is no "${key}" here` }));
  const key = path.at(-1);
  if (key === undefined || !issue.message.endsWith('received undefined')) return [{ path, text: issue.message }];
  return [{ path: path.slice(0, -1), text: `"${key}" is missing` }];
}

/** A time without a bound would keep its task waiting for ever. */
function tooFar({ until }: JsonObject, nowMs: number): readonly ParamProblem[] {
  const at = typeof until === 'string' ? Date.parse(until) : Number.NaN;
  if (Number.isNaN(at) || at <= nowMs + TASK_LIMITS.waitMinutes * 60_000) return [];
  return [{ path: ['until'], text: 'it is more than a year from now' }];
}

function isOneReference(value: Json | undefined): boolean {
  if (typeof value !== 'string') return false;
  const [only, ...more] = pieces(value);
  return only !== undefined && more.length === 0 && 'reference' in only;
}

function at(params: JsonObject, path: readonly PropertyKey[]): Json | undefined {
  let value: Json | undefined = params;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<PropertyKey, Json>>)[key];
  }
  return value;
}

const plainPath = (path: readonly PropertyKey[]): Path =>
  path.map((key) => (typeof key === 'number' ? key : String(key)));
