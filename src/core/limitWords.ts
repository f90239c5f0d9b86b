/** A limit as a person reads of it. */

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

/** e.g. `job`, `project's daily`: what stands before "limit". */
export function limitWords(limit: string): string {
  return Object.hasOwn(WORDS, limit) ? (WORDS[limit] ?? limit) : limit;
}

/** What it counts; null: money. */
export function limitUnit(limit: string): string | null {
  return Object.hasOwn(UNITS, limit) ? (UNITS[limit] ?? null) : null;
}
