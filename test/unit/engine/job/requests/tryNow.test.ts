/** What a try now comes to, by what it is about and whose word it is. */
import { describe, expect, it } from 'vitest';
import { tryNowRequest } from '../../../../../src/engine/job/requests/tryNow.ts';
import type { Waiter } from '../../../../../src/shared/waiting.ts';
import { addJob, addProject, addSession, memoryLog, openMemoryStore } from '../../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

async function world() {
  const log = memoryLog();
  const store = await openMemoryStore(new FakeClock(), log);
  await addProject(store, 'api');
  await addJob(store, 'a');
  const worked: string[] = [];
  const { tryNow } = tryNowRequest({ store, work: (id) => void worked.push(id) });
  const ask = async (of: Waiter, id: string, by: 'steward' | 'main' | 'api' = 'steward') => {
    const before = log.events.length;
    await tryNow({ of, id, by });
    return log.events.slice(before);
  };
  const asked = async (job_id: string | null, kind: 'provider' | 'limit'): Promise<number> => {
    const [id = 0] = store.nextIds('approvals', 1);
    const about = { id, job_id, project_id: 'api', kind, subject: `${kind}:x`, question: 'Try again?', detail: '' };
    const none = { phase_id: null, feature_id: null, commit: null, executables: [], choices: [] };
    await store.commit({ type: 'approval_requested', approval: { ...about, ...none } });
    return id;
  };
  return { store, ask, asked, worked };
}

describe('a job', () => {
  it('that waits goes on at once', async () => {
    const { store, ask, worked } = await world();
    const wake_at = '2100-01-01T00:00:00.000Z';
    await store.commit({ type: 'job_waiting', job_id: 'a', reason: 'HTTP 529', wake_at });
    expect(await ask('job', 'a')).toMatchObject([{ type: 'tried_now', of: 'job', id: 'a', by: 'steward' }]);
    expect(store.state.jobs.get('a')).toMatchObject({ status: 'planning', wake_at: null });
    expect(worked).toEqual(['a']);
  });

  it('that asks about the provider is simply tried again, by a person alone', async () => {
    const { store, ask, asked } = await world();
    const id = await asked('a', 'provider');
    await ask('job', 'a', 'main');
    expect(store.state.approvals.get(id)?.status).toBe('pending');
    await ask('job', 'a');
    expect(store.state.approvals.get(id)?.status).toBe('void');
  });

  it('that is paused is not', async () => {
    const { store, ask } = await world();
    await store.commit({ type: 'job_paused', job_id: 'a', reason: 'x', by: 'steward' });
    await expect(ask('job', 'a')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  });
});

describe('a project', () => {
  it('that is parked is tried, with its conversation', async () => {
    const { store, ask } = await world();
    await store.commit({ type: 'project_parked', project_id: 'api', reason: 'its thread died', approval: null });
    expect((await ask('project', 'api')).map(({ type }) => type)).toEqual(['project_unparked', 'tried_now']);
    expect(store.state.projects.get('api')).toMatchObject({ parked: null });
  });

  it('whose conversation asks about a limit is tried again, by a person alone', async () => {
    const { store, ask, asked } = await world();
    const id = await asked(null, 'limit');
    await ask('project', 'api', 'main');
    expect(store.state.approvals.get(id)?.status).toBe('pending');
    await ask('project', 'api');
    expect(store.state.approvals.get(id)?.status).toBe('void');
  });

  it('that is suspended is not', async () => {
    const { store, ask } = await world();
    await store.commit({ type: 'project_suspended', project_id: 'api', reason: '', by: 'steward' });
    await expect(ask('project', 'api')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  });
});

it('a wait of a session whose work is over changes nothing', async () => {
  const { store } = await world();
  const session = await addSession(store, 'a');
  await store.commit({ type: 'job_cancelled', job_id: 'a', reason: 'x', by: 'steward' });
  const begun = { type: 'wait_begun', session_id: session, code: 'provider', reason: 'x', until: null } as const;
  await store.commit(begun);
  expect(store.state.jobs.get('a')).toMatchObject({ status: 'cancelled', wait: null });
});
