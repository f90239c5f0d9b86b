/** Resumes what was running when the last owner ended. Costs money: only for an owner that the user started for work. */
import { askedForKey, jobsToResume } from '../../../core/job/leftJobs.ts';
import type { Clock } from '../../../shared/clock.ts';
import { PROVIDERS, type ProviderName } from '../../../shared/model/models.ts';
import type { Provider } from '../../session/gatewayPorts.ts';
import type { Store } from '../../state/store.ts';

export interface LeftJobs {
  readonly store: Store;
  readonly clock: Clock;
  /** Checks must make no connection. A job whose provider has no credential here resumes too, and asks for the credential. */
  readonly door: (provider: ProviderName) => Pick<Provider, 'check'> | null;
  /** Starts the job's loop. Idempotent. */
  work(jobId: string): void;
}

export async function resumeLeftJobs({ store, clock, door, work }: LeftJobs): Promise<void> {
  const lacking = new Set<ProviderName>();
  for (const provider of PROVIDERS) {
    const problems = (await door(provider)?.check?.([])) ?? [];
    if (problems.some(({ code }) => code === 'KEY_MISSING')) lacking.add(provider);
  }
  for (const { id } of askedForKey(store.state, (provider) => !lacking.has(provider))) {
    await store.commit({ type: 'approval_voided', id, reason: 'the credential is available now' });
  }
  for (const id of jobsToResume(store.state, clock.now())) work(id);
}
