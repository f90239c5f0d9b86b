import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { LoopPorts } from '../../../src/engine/context.ts';
import { foldingStore } from '../../../src/engine/foldingStore.ts';
import { projectJobs } from '../../../src/projects/jobs.ts';
import { newApproval } from '../../support/builders.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { addJob, openMemoryStore } from '../../support/memoryStore.ts';

test('a pause and a resume in quick succession: the old loop ends as the old run, the new one goes on', async () => {
  const clock = new FakeClock();
  const owner = await openMemoryStore(clock);
  const store = foldingStore(structuredClone(owner.state), {
    commit: async (draft) => ({ value: await owner.commit(draft) }),
    nextIds: async (table, count) => owner.nextIds(table as 'notes', count),
  });
  const ended: unknown[] = [];
  // A loop that waits for the steward needs no more of the world than this.
  const ports = { store, clock, live: () => undefined } as unknown as LoopPorts;
  const jobs = projectJobs(ports, (...told) => ended.push(told));
  owner.subscribe((event, changes) => {
    store.fold(changes);
    jobs.heard(event);
  });
  await addJob(owner, 'a');
  await owner.commit({ type: 'approval_requested', approval: newApproval({ job_id: 'a', kind: 'provider' }) });
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
  const clock = new FakeClock();
  const owner = await openMemoryStore(clock);
  await addJob(owner, 'a');
  await owner.commit({ type: 'approval_requested', approval: newApproval({ job_id: 'a', kind: 'provider' }) });
  await owner.commit({ type: 'job_paused', job_id: 'a', reason: 'a moment', by: 'steward' });
  const store = foldingStore(structuredClone(owner.state), {
    commit: async (draft) => ({ value: await owner.commit(draft) }),
    nextIds: async (table, count) => owner.nextIds(table as 'notes', count),
  });
  const ended: unknown[] = [];
  const ports = { store, clock, live: () => undefined } as unknown as LoopPorts;
  const jobs = projectJobs(ports, (...told) => ended.push(told));
  owner.subscribe((event, changes) => {
    if (event.type === 'job_resumed') jobs.work('a', 1);
    store.fold(changes);
    jobs.heard(event);
    if (event.type === 'job_resumed') jobs.work('a', 2);
  });
  await owner.commit({ type: 'job_resumed', job_id: 'a', by: 'steward' });
  while (owner.state.jobs.get('a')?.status !== 'awaiting_steward' && ended.length === 0) await setImmediate();
  expect(ended).toEqual([]);
  await jobs.stop();
  expect(ended).toEqual([['a', 2, null]]);
  await owner.close();
});
