/** A limit as a person reads of it, and as a question names it. */
import type { ProjectLimits } from '../../shared/project/projects.ts';

const WORDS: Readonly<Record<string, string>> = {
  project_day: "project's daily",
  project_total: "project's",
  project_tokens: "project's token",
  project_tool_calls: "project's tool call",
};

const UNITS: Readonly<Record<string, string>> = {
  calls: 'calls',
  tokens: 'tokens',
  project_tokens: 'tokens',
  project_tool_calls: 'tool calls',
};

/** The words before "limit", e.g. `job`, `project's daily`. */
export function limitWords(limit: string): string {
  return Object.hasOwn(WORDS, limit) ? (WORDS[limit] ?? limit) : limit;
}

export function limitNamed(limit: string): string {
  return `the ${limitWords(limit)} limit`;
}

/** The message of a refusal by a limit. A job or project that waits for the limit has it as the reason. `most`: the limit in words. */
export const limitRefusal = (limit: string, most: string, why: string): string =>
  `${limitNamed(limit)} of ${most} is reached: ${why}`;

/** Whether a reason is such a message, whatever the limit. */
export const isRefusedByLimit = (reason: string): boolean => /^the .{1,40}? limit of /.test(reason);

/** Whether a reason is such a message about this limit. */
export const isRefusedBy = (reason: string, limit: string): boolean => reason.startsWith(`${limitNamed(limit)} of `);

/** The unit of the limit. Null for money. */
export function limitUnit(limit: string): string | null {
  return Object.hasOwn(UNITS, limit) ? (UNITS[limit] ?? null) : null;
}

/** Whether a limit that was in the way leaves more than it did. */
export function isRaised(before: number | null, now: number | null): boolean {
  return before !== null && (now === null || now > before);
}

/** The limits that are a project's own, by the name that a refusal has for them. */
export const PROJECT_LIMITS: Readonly<Partial<Record<string, keyof ProjectLimits>>> = {
  project_day: 'dayMicroUsd',
  project_total: 'totalMicroUsd',
  project_tokens: 'tokens',
  project_tool_calls: 'toolCalls',
};
