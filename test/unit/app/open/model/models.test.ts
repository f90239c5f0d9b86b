import { expect, it } from 'vitest';
import { connectionsTried, providersFor } from '../../../../../src/app/open/model/models.ts';
import { plainDefinition } from '../../../../../src/core/project/reduceProjects.ts';
import type { Provider } from '../../../../../src/engine/session/gatewayPorts.ts';
import type { ProviderName } from '../../../../../src/shared/model/models.ts';
import type { ProjectDefinition } from '../../../../../src/shared/project/projects.ts';
import type { TaskInput } from '../../../../../src/shared/task/tasks.ts';
import type { Waiter } from '../../../../../src/shared/waiting.ts';
import { sessionRow } from '../../../../support/state/builders.ts';
import { addJob, openMemoryStore } from '../../../../support/state/memoryStore.ts';
import { playedTask } from '../../../../support/state/taskRows.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

const EDITORS: Provider = { name: 'vscode-lm', send: () => Promise.reject(new Error('not asked')) };

async function world(definition: Partial<ProjectDefinition>, injected = {}) {
  const clock = new FakeClock({ skipSleeps: true });
  const store = await openMemoryStore(clock);
  await addJob(store, 'a', { provider: 'simulated' });
  const project = { id: 'p', model: null, workdir: null, definition: { ...plainDefinition(), ...definition } };
  await store.commit({ type: 'project_created', project });
  const providerOf = providersFor(() => store.state, { key: () => null, baseUrl: null }, clock, null, injected);
  const conversation = (project_id: string) =>
    providerOf(sessionRow({ job_id: null, project_id, role: project_id === 'main' ? 'main' : 'project' }), 'm');
  return { store, providerOf, conversation };
}

const ask = (provider: Provider): Promise<unknown> => {
  const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] });
  const request = { path: '/v1/messages', method: 'POST', headers: {}, body, sessionId: 1 };
  return provider.send(request, new AbortController().signal);
};

it.each<ProviderName>(['anthropic', 'simulated', 'vscode-lm'])("%s answers a project's conversation", async (name) => {
  const { conversation } = await world({ provider: name });
  expect(conversation('p').name).toBe(name);
});

it("takes the editor's models where there are some", async () => {
  const { conversation } = await world({ provider: 'vscode-lm' }, { 'vscode-lm': EDITORS });
  expect(conversation('p')).toBe(EDITORS);
});

it('says outside the editor that its models are not there', async () => {
  const { conversation } = await world({ provider: 'vscode-lm' });
  await expect(ask(conversation('p'))).rejects.toMatchObject({ code: 'KEY_MISSING', details: { sent: false } });
});

it('reads the scenario of the project, not the one of its jobs', async () => {
  const { conversation, providerOf } = await world({ provider: 'simulated', scenario: '/nowhere/own.yaml' });
  await expect(ask(conversation('p'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await ask(providerOf(sessionRow({ job_id: 'a', project_id: 'default' }), 'm'))).toMatchObject({ status: 200 });
});

it('follows a definition that changed, and one model keeps its cache for all that share a scenario', async () => {
  const { store, conversation } = await world({ provider: 'anthropic' });
  const definition = { ...plainDefinition(), provider: 'simulated' as const };
  await store.commit({ type: 'project_defined', project_id: 'p', definition, by: 'steward' });
  expect(conversation('p').name).toBe('simulated');
  const project = { id: 'main', model: null, workdir: null, definition };
  await store.commit({ type: 'project_created', project });
  expect(conversation('main')).toBe(conversation('p'));
});

it('refuses a session whose project nobody knows', async () => {
  const { conversation } = await world({});
  expect(() => conversation('gone')).toThrow('gone');
});

it.each<[Waiter, ProviderName]>([
  ['project', 'anthropic'],
  ['job', 'simulated'],
])('tries the provider of a %s', async (of, provider) => {
  const { store } = await world({ provider: 'anthropic' });
  expect(connectionsTried(store.state, { of, id: of === 'job' ? 'a' : 'p' })).toEqual([provider]);
});

it.each<[string, Partial<TaskInput>, ProviderName]>([
  ['its project', {}, 'anthropic'],
  ['its own', { provider: 'simulated' }, 'simulated'],
])('tries the provider of a task: %s', (_, fields, provider) => {
  const { state, taskId } = playedTask([{ name: 'Ask', action: 'notify', params: { title: 'Hi' } }], fields);
  expect(connectionsTried(state, { of: 'task', id: taskId })).toEqual([provider]);
});
