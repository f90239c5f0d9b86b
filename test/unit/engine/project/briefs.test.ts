import { beforeEach, expect, test } from 'vitest';
import { plainDefinition } from '../../../../src/core/project/reduceProjects.ts';
import { conversationBriefs, type GrantBrief } from '../../../../src/engine/project/briefs.ts';
import type { Store } from '../../../../src/engine/state/store.ts';
import { JOB_OPTIONS, openMemoryStore } from '../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

let store: Store;
let asked: Parameters<GrantBrief['submitBrief']>[0][];
let submit: ReturnType<typeof conversationBriefs>;
let clock: FakeClock;

beforeEach(async () => {
  clock = new FakeClock();
  store = await openMemoryStore(clock);
  asked = [];
  for (const id of ['a', 'b']) {
    const definition = { ...plainDefinition(), provider: 'simulated', scenario: 'generic' } as const;
    await store.commit({ type: 'project_created', project: { id, model: null, workdir: null, definition } });
  }
  submit = conversationBriefs(store, {
    submitBrief: async (input) => {
      asked.push(input);
      const id = `job-${asked.length}`;
      const job = { id, project_id: input.project, title: id, brief: input.brief, job_dir: `/jobs/${id}`, branch: id };
      await store.commit({ type: 'brief_submitted', job: { ...job, options: JOB_OPTIONS } });
      return { jobId: id };
    },
  });
});

async function session(project: string): Promise<number> {
  const [id = 0] = store.nextIds('sessions', 1);
  clock.advance(1_000);
  const about = { job_id: null, project_id: project, role: 'project', model: 'm', phase_id: null, notes: [] } as const;
  await store.commit({ type: 'session_started', id, ...about });
  return id;
}

test('the same text from the same session is one job, however often and how closely it is asked for', async () => {
  const own = await session('a');
  const answers = await Promise.all([
    submit('a', own, { brief: 'Build it.' }),
    submit('a', own, { brief: 'Build it.' }),
  ]);
  expect(answers).toEqual([{ jobId: 'job-1' }, { jobId: 'job-1' }]);
  expect(await submit('a', own, { brief: 'Build more.' })).toEqual({ jobId: 'job-2' });
  expect(asked).toMatchObject([{ project: 'a', provider: 'simulated', scenario: 'generic' }, { brief: 'Build more.' }]);
});

test('the same text from a later session, or in another project, is a job of its own', async () => {
  await submit('a', await session('a'), { brief: 'Build it.' });
  expect(await submit('b', await session('b'), { brief: 'Build it.' })).toEqual({ jobId: 'job-2' });
  expect(await submit('a', await session('a'), { brief: 'Build it.' })).toEqual({ jobId: 'job-3' });
});

test('the same text in a later turn is a job of its own when the first one is over', async () => {
  const own = await session('a');
  const hear = async (): Promise<void> => {
    const [id = 0] = store.nextIds('messages', 1);
    const about = { concerns: null, relayed_from: null, session_id: null } as const;
    const message = { id, project_id: 'a', direction: 'in', sender: 'heartbeat', text: 'Look.', ...about } as const;
    await store.commit({ type: 'message_sent', message });
    clock.advance(1_000);
    await store.commit({ type: 'messages_read', project_id: 'a', direction: 'in', up_to: id });
    clock.advance(1_000);
  };
  await hear();
  await submit('a', own, { brief: 'Upgrade.' });
  await hear();
  expect(await submit('a', own, { brief: 'Upgrade.' })).toEqual({ jobId: 'job-1' });
  await store.commit({ type: 'job_cancelled', job_id: 'job-1', reason: '', by: 'steward' });
  await hear();
  expect(await submit('a', own, { brief: 'Upgrade.' })).toEqual({ jobId: 'job-2' });
  await store.commit({ type: 'job_cancelled', job_id: 'job-2', reason: '', by: 'steward' });
  expect(await submit('a', own, { brief: 'Upgrade.' })).toEqual({ jobId: 'job-2' });
});

test('asks for less money and for a model', async () => {
  await submit('a', await session('a'), { brief: 'Build it.', atMostUsd: 2.5, model: 'claude-haiku-5-5' });
  const models = { planner: 'claude-haiku-5-5', worker: 'claude-haiku-5-5' };
  expect(asked).toMatchObject([{ budgetMicroUsd: 2_500_000, models, by: 'agent' }]);
});

test('no more than ten are under way at once: what a conversation begins by itself has an end', async () => {
  const own = await session('a');
  for (let n = 1; n <= 10; n++) await submit('a', own, { brief: `Build ${n}.` });
  await expect(submit('a', own, { brief: 'Build 11.' })).rejects.toMatchObject({
    code: 'NOT_PERMITTED',
    message: expect.stringContaining('10 jobs'),
  });
  expect(await submit('a', own, { brief: 'Build 3.' })).toEqual({ jobId: 'job-3' });
  await submit('b', await session('b'), { brief: 'Build it.' });
  await store.commit({ type: 'job_cancelled', job_id: 'job-4', reason: '', by: 'steward' });
  expect(await submit('a', own, { brief: 'Build 11.' })).toEqual({ jobId: 'job-12' });
});

test('a session of a job files nothing: it is a conversation that does', async () => {
  const { jobId } = await submit('a', await session('a'), { brief: 'Build it.' });
  const [id = 0] = store.nextIds('sessions', 1);
  const about = { job_id: jobId, project_id: 'a', role: 'worker', model: 'm', phase_id: null, notes: [] } as const;
  await store.commit({ type: 'session_started', id, ...about });
  await expect(submit('a', id, { brief: 'Build more.' })).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  expect(asked).toHaveLength(1);
});

test("another project's session files nothing", async () => {
  const foreign = await session('b');
  await expect(submit('a', foreign, { brief: 'Build it.' })).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  expect(asked).toEqual([]);
});
