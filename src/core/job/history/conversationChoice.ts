/** Whether the next attempt at a feature continues the conversation of the last one. Pure. */

import { BUILT_IN } from '../../../shared/agent/executors.ts';
import type { AttemptRow, FeatureRow, JobRow } from '../../../shared/job/rows.ts';
import { CACHE_LIFETIME_MS } from '../../../shared/money.ts';
import type { SessionRow } from '../../../shared/session.ts';

/** Whether a provider still caches a prompt that was last used at this time. Else the prompt is paid for again. Epoch milliseconds. */
export function isCached(usedAt: number, now: number): boolean {
  return now - usedAt <= CACHE_LIFETIME_MS['5m'];
}

interface Given {
  readonly job: JobRow;
  readonly feature: FeatureRow;
  /** Last attempt at this feature. Undefined if there is none. */
  readonly last: AttemptRow | undefined;
  readonly session: SessionRow | undefined;
  readonly executor: string;
  /** Model of the next attempt. */
  readonly model: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Whether the attempt continues the last conversation, unless that is too long. The last attempt starts a new conversation, and so does an attempt
 * after an abandoned one. Only conversations of the built-in agent are continued.
 */
export function continuesConversation({ job, feature, last, session, executor, model, now }: Given): boolean {
  const { conversation = 'continue' } = job.options;
  if (conversation === 'fresh' || last?.ended_at == null || last.status === 'abandoned') return false;
  if (executor !== BUILT_IN || session?.executor !== BUILT_IN || session.model !== model) return false;
  const beginsNew = feature.retry_count > 0 && isLastTry(job, feature);
  return !beginsNew && isCached(Date.parse(last.ended_at), now);
}

/** Whether the feature fails if its next attempt fails. */
export function isLastTry(
  { options }: Pick<JobRow, 'options'>,
  { retry_count }: Pick<FeatureRow, 'retry_count'>,
): boolean {
  return retry_count + 1 >= options.maxRetries;
}
