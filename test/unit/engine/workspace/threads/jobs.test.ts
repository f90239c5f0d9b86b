import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { LoopPorts } from '../../../../../src/engine/job/context.ts';
import { foldingStore } from '../../../../../src/engine/workspace/threads/foldingStore.ts';
import { projectJobs } from '../../../../../src/engine/workspace/threads/jobs.ts';
import type { Event } from '../../../../../src/shared/workspace/events.ts';
import { newApproval } from '../../../../support/state/builders.ts';
import { addJob, openMemoryStore } from '../../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

/**
 * A job that waits for the steward, with the loops of its project. `deliver` is called for each event, with what hands it to them.
 * A loop that waits needs no more of the world than a store.
 */
async function waitingJob(deliver: (event: Event, receive: () => void) => void = (_, receive) => receive()) {
  const clock = new FakeClock();
  const owner = await openMemoryStore(clock);
  const store = foldingStore(structuredClone(owner.state), {
    commit: async (draft) => ({ value: await owner.commit(draft) }),
    nextIds: async (table, count) => owner.nextIds(table as 'notes', count),
  });
  const ended: unknown[] = [];
  const ports = { store, clock, live: () => undefined } as unknown as LoopPorts;
  const jobs = projectJobs(ports, (...told) => ended.push(told));
  owner.subscribe((event, changes) =>
    deliver(event, () => {
      store.fold(changes);
      jobs.heard(event);
    }),
  );
  await addJob(owner, 'a');
  await owner.commit({ type: 'approval_requested', approval: newApproval({ job_id: 'a', kind: 'provider' }) });
  return { owner, jobs, ended };
}

test('a pause and a resume in quick succession: the old loop ends as the old run, the new one goes on', async () => {
  const { owner, jobs, ended } = await waitingJob();
  const awaited = async (): Promise<void> => {
    while (owner.state.jobs.get('a')?.status !== 'awaiting_steward') await setImmediate();
  };

  jobs.work('a', 1);
  jobs.work('a', 2);
  await awaited();
  const paused = owner.commit({ type: 'job_paused', job_id: 'a', reason: 'a moment', by: 'steward' });
  const resumed = owner.commit({ type: 'job_resumed', job_id: 'a', by: 'steward' });
  await Promise.all([paused, resumed]);
  jobs.work('a', 3);
  jobs.work('a', 4);
  await awaited();
  expect(ended).toEqual([['a', 2, null]]);
  await jobs.stop();
  expect(ended).toEqual([
    ['a', 2, null],
    ['a', 4, null],
  ]);
  await owner.close();
});

test('a job that is resumed while its loop decides to stop is carried out', async () => {
  const { owner, jobs, ended } = await waitingJob((event, receive) => {
    if (event.type === 'job_resumed') jobs.work('a', 1);
    receive();
    if (event.type === 'job_resumed') jobs.work('a', 2);
  });
  await owner.commit({ type: 'job_paused', job_id: 'a', reason: 'a moment', by: 'steward' });
  await owner.commit({ type: 'job_resumed', job_id: 'a', by: 'steward' });
  while (owner.state.jobs.get('a')?.status !== 'awaiting_steward' && ended.length === 0) await setImmediate();
  expect(ended).toEqual([]);
  await jobs.stop();
  expect(ended).toEqual([['a', 2, null]]);
  await owner.close();
});
