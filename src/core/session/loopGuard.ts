/** Detects a session that repeats the same call with the same result. */

/** Number of consecutive occurrences of the last key. */
export interface Repeats {
  readonly key: string | null;
  readonly count: number;
}

export type LoopVerdict = 'ok' | 'warn' | 'end';

export const NO_REPEATS: Repeats = { key: null, count: 0 };

const WARN_AT = 3;
const END_AT = 6;

export function countRepeat(before: Repeats, key: string): Repeats {
  return key === before.key ? { key, count: before.count + 1 } : { key, count: 1 };
}

/** `warn`: the model gets a warning. `end`: the attempt ends. */
export function loopVerdict({ count }: Repeats): LoopVerdict {
  if (count >= END_AT) return 'end';
  return count >= WARN_AT ? 'warn' : 'ok';
}

/** Equal for the same tool, arguments (in any key order) and result. */
export function callKey(tool: string, args: unknown, result: string): string {
  return canonicalJson([tool, args, result]);
}

/** JSON with object keys in one order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
