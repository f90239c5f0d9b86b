/** A project that comes after another one. */
import { beforeEach, expect, test } from 'vitest';
import { isCircle } from '../../../../src/core/project/projectAfter.ts';
import { plainDefinition } from '../../../../src/core/project/reduceProjects.ts';
import { need } from '../../../../src/core/state/rows.ts';
import type { EventDraft } from '../../../../src/shared/workspace/events.ts';
import { openMemoryStore } from '../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

let store: Awaited<ReturnType<typeof openMemoryStore>>;
const commit = (draft: EventDraft) => store.commit(draft);
const docs = () => need(store.state, 'projects', 'docs');
const WAITS = 'waits until project api is completed';

async function create(id: string, after: string | null): Promise<void> {
  const definition = { ...plainDefinition(), after };
  await commit({ type: 'project_created', project: { id, model: null, workdir: null, definition } });
}

beforeEach(async () => {
  store = await openMemoryStore(new FakeClock());
  await create('api', null);
  await create('docs', 'api');
});

test('is parked until that one is completed, over a suspension', async () => {
  expect(docs()).toMatchObject({ status: 'active', parked: WAITS });
  await commit({ type: 'project_suspended', project_id: 'docs', reason: 'later', by: 'steward' });
  await commit({ type: 'project_resumed', project_id: 'docs', by: 'steward' });
  expect(docs().parked).toBe(WAITS);
  await commit({ type: 'project_completed', project_id: 'api', reason: 'moved', by: 'steward' });
  expect(docs().parked).toBeNull();
  await create('later', 'api');
  expect(need(store.state, 'projects', 'later').parked).toBeNull();
});

test('a person starts it earlier; a mended PROJECT.md does not', async () => {
  await commit({ type: 'project_parked', project_id: 'docs', reason: 'PROJECT.md line 1: what', approval: null });
  await commit({ type: 'project_unparked', project_id: 'docs' });
  expect(docs().parked).toBe(WAITS);
  await commit({ type: 'project_unparked', project_id: 'docs' });
  expect(docs().parked).toBeNull();
});

test('waits no more once it had a turn, or comes after none', async () => {
  await commit({ type: 'project_defined', project_id: 'docs', definition: plainDefinition(), by: 'steward' });
  expect(docs().parked).toBeNull();
  const session = { id: 1, job_id: null, project_id: 'docs', role: 'project', model: 'm', phase_id: null } as const;
  await commit({ type: 'session_started', ...session, notes: [] });
  const definition = { ...plainDefinition(), after: 'api' };
  await commit({ type: 'project_defined', project_id: 'docs', definition, by: 'steward' });
  expect(docs().parked).toBeNull();
});

test('projects that would wait for each other are a circle', async () => {
  await create('site', 'docs');
  expect(isCircle(store.state, 'api', 'site')).toBe(true);
  expect(isCircle(store.state, 'site', 'api')).toBe(false);
  expect(isCircle(store.state, 'site', 'site')).toBe(true);
});
