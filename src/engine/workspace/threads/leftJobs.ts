/** Resumes what was running when the last owner ended. Costs money: only for an owner that the user started for work. */
import { askedForKey, jobsToResume } from '../../../core/job/leftJobs.ts';
import { connectionsUsed } from '../../../core/money/price/connectionsUsed.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { ConnectionName } from '../../../shared/model/models.ts';
import type { Provider } from '../../session/gatewayPorts.ts';
import type { Store } from '../../state/store.ts';

export interface LeftJobs {
  readonly store: Store;
  readonly clock: Clock;
  /** Checks must make no connection. A job whose connection has no credential here resumes too, and asks for the credential. */
  readonly door: (connection: ConnectionName) => Pick<Provider, 'check'> | null;
  /** Starts the job's loop. Idempotent. */
  work(jobId: string): void;
}

export async function resumeLeftJobs({ store, clock, door, work }: LeftJobs): Promise<void> {
  const lacking = new Set<ConnectionName>();
  // Only those are checked that a question waits for: a check may run the user's key command.
  const asked = askedForKey(store.state, () => true).flatMap((row) => connectionsUsed(store.state, row));
  for (const connection of new Set(asked)) {
    const problems = (await door(connection)?.check?.([])) ?? [];
    if (problems.some(({ code }) => code === 'KEY_MISSING')) lacking.add(connection);
  }
  for (const { id } of askedForKey(store.state, (connection) => !lacking.has(connection))) {
    await store.commit({ type: 'approval_voided', id, reason: 'the credential is available now' });
  }
  for (const id of jobsToResume(store.state, clock.now())) work(id);
}
