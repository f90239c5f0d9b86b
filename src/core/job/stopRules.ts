/** Detects two attempts with the same result. Then the steward is asked instead of starting another attempt. */
import type { AttemptRow } from '../../shared/job/rows.ts';

/** The cause of an attempt, or of a review, by which its round ends. */
export type Repeated = 'same_error' | 'same_verdict' | 'empty_diff';

/** The cause of an attempt that its own budget refused a call. The next attempt continues from its tree. */
export const OWN_BUDGET = 'attempt_budget';

export type Try = Pick<AttemptRow, 'status' | 'cause' | 'feedback' | 'diff'>;

/** Older versions stored this cause for an attempt that its own budget refused a call. That attempt failed. */
const MONEY = 'money';
/** Limits of an attempt: the next attempt continues from its tree. */
const LIMITS: readonly (string | null)[] = ['turns', 'tokens', 'time'];

/** The repetition in two consecutive attempts. Null if the second attempt made progress. */
export function repeated(before: Try | undefined, now: Try): Repeated | null {
  if (before?.status !== 'failed' || now.status !== 'failed') return null;
  if (before.cause === MONEY || now.cause === MONEY) return null;
  if (before.diff === null && now.diff === null) return 'empty_diff';
  if (LIMITS.includes(now.cause) || LIMITS.includes(before.cause)) return null;
  if (!sameText(before.feedback ?? '', now.feedback ?? '')) return null;
  return now.cause === 'review_rejected' ? 'same_verdict' : 'same_error';
}

/** Ignores values that differ from run to run: durations, times of day, addresses, temporary paths. */
export function sameText(one: string, other: string): boolean {
  return one !== '' && other !== '' && steady(one) === steady(other);
}

function steady(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?Z?/g, '<time>')
    .replaceAll(/\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g, '<time>')
    .replaceAll(/\bduration_ms:? *[\d.]+/g, '<duration>')
    .replaceAll(/\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|secs?|seconds?|min|minutes?)\b/g, '<duration>')
    .replaceAll(/\b0x[0-9a-f]+\b/gi, '<address>')
    .replaceAll(/\b[0-9a-f]{12,}\b/gi, '<hash>')
    .replaceAll(/\/(?:tmp|var\/folders)\/[^\s'":)]+/g, '<temp>')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
