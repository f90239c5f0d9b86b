/** Resumes what was running when the last owner ended. Costs money: only for an owner that the user started for work. */
import { askedForKey, jobsToResume } from '../core/leftJobs.ts';
import type { Store } from '../engine/store.ts';
import type { Clock } from '../shared/clock.ts';
import type { ProviderName } from '../shared/domain.ts';

export interface LeftJobs {
  readonly store: Store;
  readonly clock: Clock;
  /** Whether this owner can reach the provider. A job of another one resumes too, and asks for the credential. */
  hasCredential(provider: ProviderName): boolean;
  /** Starts the job's loop. Idempotent. */
  work(jobId: string): void;
}

export async function resumeLeftJobs({ store, clock, hasCredential, work }: LeftJobs): Promise<void> {
  for (const { id } of askedForKey(store.state, hasCredential)) {
    await store.commit({ type: 'approval_voided', id, reason: 'the credential is available now' });
  }
  for (const id of jobsToResume(store.state, clock.now())) work(id);
}
