/** Steps of tasks beside a project's conversation: neither is taken for the other. */
import { expect, test } from 'vitest';
import { conversationView } from '../../../../../src/core/project/projectView.ts';
import { projectQuestion } from '../../../../../src/engine/approval/questions.ts';
import { mayContinue } from '../../../../../src/engine/project/talk/backoff.ts';
import type { ConversationPorts } from '../../../../../src/engine/project/talk/conversationPorts.ts';
import { ownSessions } from '../../../../../src/engine/project/talk/conversationSession.ts';
import { addProject, addSession, openMemoryStore } from '../../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';
import { startTask } from '../../../../support/world/stepWorld.ts';

async function open() {
  const store = await openMemoryStore(new FakeClock());
  await addProject(store, 'api');
  const stepId = await startTask(store, {}, 'api');
  const [id = 0] = store.nextIds('sessions', 1);
  const of = { job_id: null, project_id: 'api', task_id: 'task-1', step_id: stepId, phase_id: null, notes: [] };
  await store.commit({ type: 'session_started', id, role: 'summarizer', model: 'haiku', ...of });
  const ports = { store, projectId: 'api' } as unknown as ConversationPorts;
  return { store, ports, id };
}

test('a summary of a task is none of the conversation', async () => {
  const { store, ports } = await open();
  expect(ownSessions(ports, 'summarizer')).toEqual([]);
  expect(conversationView(store.state, 'api').sessionId).toBeNull();
  const own = await addSession(store, null, 'summarizer', 'api');
  expect(ownSessions(ports, 'summarizer').map(({ id }) => id)).toEqual([own]);
});

test('a suspension ends the conversation’s session, and no step’s', async () => {
  const { store, id } = await open();
  const own = await addSession(store, null, 'project', 'api');
  await store.commit({ type: 'project_suspended', project_id: 'api', reason: 'enough', by: 'steward' });
  expect([id, own].map((session) => store.state.sessions.get(session)?.status)).toEqual(['running', 'completed']);
});

test('a question about a task’s money holds no conversation', async () => {
  const { store, ports } = await open();
  const about = { of: 'limit', limit: 'task', id: 1, raiseTo: null } as const;
  const asked = { kind: 'limit', about, question: 'More?', task_id: 'task-1' } as const;
  await store.commit({ type: 'approval_requested', approval: projectQuestion('api', 1, asked) });
  expect(await mayContinue(ports, [])).toBe(true);
  expect(store.state.approvals.get(1)?.status).toBe('pending');
});
