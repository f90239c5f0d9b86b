import { beforeEach, expect, test } from 'vitest';
import { type ReplicatedState, replicatedState } from '../../../../src/engine/state/replicatedState.ts';
import type { Store } from '../../../../src/engine/state/store.ts';
import type { Event, EventDraft } from '../../../../src/shared/workspace/events.ts';
import { addJob, type MemoryLog, memoryLog, openMemoryStore } from '../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

let log: MemoryLog;
let owner: Store;
let followed: ReplicatedState;
let told: string[];
let gaps: number;
/** What a reading of the log waits for, with what it finds when it began. */
let disk: (() => void)[];

beforeEach(async () => {
  log = memoryLog();
  owner = await openMemoryStore(new FakeClock(), log);
  [told, gaps, disk] = [[], 0, []];
  await addJob(owner, 'a');
  const reading = {
    state: async () => structuredClone(owner.state),
    events: () => {
      const found = [...log.events];
      return new Promise<readonly Event[]>((resolve) => disk.push(() => resolve(found)));
    },
  };
  followed = replicatedState(
    reading,
    (event) => told.push(event.type),
    () => gaps++,
  );
  await followed.catchUp();
});

const commit = (draft: EventDraft) => owner.commit(draft);
const pause = () => commit({ type: 'job_paused', job_id: 'a', reason: 'lunch', by: 'steward' });
const resume = () => commit({ type: 'job_resumed', job_id: 'a', by: 'steward' });
const cancel = () => commit({ type: 'job_cancelled', job_id: 'a', reason: 'enough', by: 'steward' });
const isTheOwners = () => expect(followed.state).toEqual(owner.state);

test('what the owner tells is folded and told on, once', async () => {
  const paused = await pause();
  followed.heard(paused);
  followed.heard(paused);
  expect(told).toEqual(['job_paused']);
  isTheOwners();
});

test('what was missed is told in its order, and what is heard during the reading after it', async () => {
  await pause();
  await resume();
  const caughtUp = followed.catchUp();
  const last = await cancel();
  followed.heard(last);
  expect(told).toEqual([]);
  for (const found of disk) found();
  await caughtUp;
  expect(told).toEqual(['job_paused', 'job_resumed', 'job_cancelled']);
  isTheOwners();
});

test('an older reading replaces nothing newer', async () => {
  const caughtUp = followed.catchUp();
  followed.heard(await pause());
  followed.heard(await resume());
  for (const found of disk) found();
  await caughtUp;
  expect(told).toEqual(['job_paused', 'job_resumed']);
  followed.heard(await cancel());
  expect(told).toHaveLength(3);
  isTheOwners();
});

test('a second call during a reading has it done again', async () => {
  const first = followed.catchUp();
  await pause();
  const second = followed.catchUp();
  disk[0]?.();
  while (disk.length < 2) await Promise.resolve();
  disk[1]?.();
  await Promise.all([first, second]);
  expect(told).toEqual(['job_paused']);
  isTheOwners();
});

test('a gap in what is told asks for a reading', async () => {
  await pause();
  followed.heard(await resume());
  expect(gaps).toBe(1);
  const caughtUp = followed.catchUp();
  for (const found of disk) found();
  await caughtUp;
  expect(told).toEqual(['job_paused', 'job_resumed']);
  isTheOwners();
});

test('what does not fold is thrown, not left out', async () => {
  const caughtUp = followed.catchUp();
  const paused = await pause();
  followed.heard({ ...paused, job_id: 'nobody' } as Event);
  for (const found of disk) found();
  await expect(caughtUp).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
