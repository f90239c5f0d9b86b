/** The effort behind the model of a project: in its conversation, and in its jobs. */
import { expect, it } from 'vitest';
import { withModelOf } from '../../../../../src/engine/job/requests/brief.ts';
import type { EngineRequests } from '../../../../../src/engine/job/requests/ports.ts';
import { projectRequests } from '../../../../../src/engine/project/requests.ts';
import { conversationSpec } from '../../../../../src/engine/project/talk/conversationSession.ts';
import { handleRequest } from '../../../../../src/engine/workspace/requests.ts';
import { MAIN_PROJECT } from '../../../../../src/shared/project/projects.ts';
import { jobOptions, projectRow } from '../../../../support/state/builders.ts';
import { openMemoryStore } from '../../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';
import { projectPorts } from '../../../../support/world/projectPorts.ts';

const MODELS = { project: 'p', main: 'm', subagent: 's', summarizer: 'z' };

it.each(['api', MAIN_PROJECT])('a conversation of %s takes it, with room for the thinking', (id) => {
  expect(conversationSpec(projectRow({ id, model: 'claude-opus-5-5 high' }), [], MODELS)).toMatchObject({
    model: 'claude-opus-5-5',
    effort: 'high',
    maxTokens: 16_000,
  });
  expect(conversationSpec(projectRow({ id, model: 'claude-opus-5-5' }), [], MODELS)).not.toHaveProperty('effort');
});

it('its jobs take it unless the project is answered by another provider', () => {
  const options = jobOptions();
  const project = projectRow({ model: 'claude-opus-5-5 low', provider: options.provider });
  const levels = { planner: 'low', worker: 'low', reviewer: 'low', summarizer: 'low' };
  expect(withModelOf(project, undefined, options)).toMatchObject({
    models: { worker: 'claude-opus-5-5' },
    effort: levels,
  });
  expect(withModelOf({ ...project, provider: 'vscode-lm' }, undefined, options)).toEqual(options);
});

it('is refused if the model does not take it', async () => {
  const ports = projectPorts(await openMemoryStore(new FakeClock()));
  const requests = projectRequests(ports) as unknown as EngineRequests;
  const create = (model: string) => handleRequest(requests, 'createProject', { name: 'api', model });
  await expect(create('claude-haiku-4-5 high')).rejects.toThrow('claude-haiku-4-5 does not take the effort "high"');
  await create('claude-opus-5-5 high');
  expect(ports.store.state.projects.get('api')?.model).toBe('claude-opus-5-5 high');
});
