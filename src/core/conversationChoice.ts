/** Whether the next attempt at a feature continues the conversation of the last one. Pure. */
import type { AttemptRow, FeatureRow, JobRow, SessionRow } from '../shared/domain.ts';
import { BUILT_IN } from '../shared/executors.ts';

/** Why an attempt starts a new conversation, with a digest of all earlier attempts. */
export type Fresh =
  /** The job's option says so. */
  | 'chosen'
  | 'no_attempt'
  /** The last attempt was given up in the middle of its work. */
  | 'abandoned'
  | 'last_try'
  /** Only the built-in agent's conversations are continued. */
  | 'other_agent'
  | 'other_model'
  /** The provider holds the prefix of a request for five minutes: later the whole conversation is paid anew. */
  | 'cache_expired'
  /** The conversation has used most of its room. */
  | 'too_long';

/** Milliseconds that a provider keeps a prefix after its last use. */
const CACHE_MS = 5 * 60_000;

interface Given {
  readonly job: JobRow;
  readonly feature: FeatureRow;
  /** Of this feature; undefined: there is none. */
  readonly last: AttemptRow | undefined;
  readonly session: SessionRow | undefined;
  readonly executor: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Null: the conversation continues, unless it turns out to be too long. */
export function freshBecause({ job, feature, last, session, executor, now }: Given): Fresh | null {
  const { conversation = 'continue', maxRetries, models } = job.options;
  if (last?.ended_at == null || session === undefined) return 'no_attempt';
  if (last.status === 'abandoned') return 'abandoned';
  if (conversation === 'fresh') return 'chosen';
  if (executor !== BUILT_IN || session.executor !== BUILT_IN) return 'other_agent';
  if (session.model !== models.worker) return 'other_model';
  if (feature.retry_count > 0 && feature.retry_count + 1 >= maxRetries) return 'last_try';
  return now - Date.parse(last.ended_at) > CACHE_MS ? 'cache_expired' : null;
}
