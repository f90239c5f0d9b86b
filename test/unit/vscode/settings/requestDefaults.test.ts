/** What a request gets from the settings, and what its project has to say before them; and what goes on when a folder is opened. */
import { beforeEach, expect, it, vi } from 'vitest';
import { taskSchema } from '../../../../src/shared/task/tasks.ts';
import { missingAction } from '../../../../src/shared/task/taskWork.ts';
import { messageRow, projectRow, stateOf } from '../../../support/state/builders.ts';
import { startFold } from '../../../support/state/fold.ts';
import { playedTask } from '../../../support/state/taskRows.ts';

const user = vi.hoisted(() => ({ settings: {} as Record<string, unknown> }));

vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  workspace: {
    getConfiguration: () => ({ get: (name: string, otherwise: unknown) => user.settings[name] ?? otherwise }),
  },
}));

const { completed } = await import('../../../../src/vscode/settings/requestDefaults.ts');
const { hasTaskAtWork } = await import('../../../../src/core/workspace/work/tasksAtWork.ts');
const { hasProjectAtWork } = await import('../../../../src/core/workspace/work/projectsAtWork.ts');

const state = stateOf({
  projects: [
    projectRow({ id: 'default', provider: 'anthropic' }),
    projectRow({ id: 'shown', provider: 'simulated', scenario: 'projects' }),
    projectRow({ id: 'own', provider: 'anthropic', model: 'claude-haiku-5-5' }),
  ],
});

beforeEach(() => {
  user.settings = { provider: 'anthropic', 'models.planner': 'planner', 'models.worker': 'worker' };
});

it('a brief of the default project is answered as the settings say', () => {
  user.settings['provider'] = 'simulated';
  expect(completed(state, 'submitBrief', { brief: 'x' })).toMatchObject({ provider: 'simulated' });
});

it('a brief of another project is answered as the project is, unless its writer says otherwise', () => {
  const shown = { provider: 'simulated', scenario: 'projects' };
  expect(completed(state, 'submitBrief', { brief: 'x', project: 'shown' })).toMatchObject(shown);
  const said = completed(state, 'submitBrief', { brief: 'x', project: 'shown', provider: 'anthropic' });
  expect(said).toMatchObject({ provider: 'anthropic', models: { planner: 'planner' } });
  expect(said).not.toHaveProperty('scenario');
});

it('leaves the models to a project that has one of its own', () => {
  expect(completed(state, 'submitBrief', { brief: 'x', project: 'own' })).not.toHaveProperty('models');
  expect(completed(state, 'submitBrief', { brief: 'x' })).toHaveProperty('models.worker', 'worker');
});

it('a task of the default project is answered as the settings say, unless it says so itself; others as their project is', () => {
  const definition = taskSchema.parse({ name: 'Research' });
  const answered = (project: string, own: object = {}) =>
    completed(state, 'createTask', { project, definition: { ...definition, ...own } }).definition?.provider;
  expect(answered('default')).toBeUndefined();
  user.settings['provider'] = 'simulated';
  expect([answered('default'), answered('default', { provider: 'anthropic' })]).toEqual(['simulated', 'anthropic']);
  expect(answered('shown')).toBeUndefined();
});

it('a folder is opened for a task that runs, or one that comes again', () => {
  const fold = startFold();
  const task = playedTask([{ name: 'Wait', action: 'wait', params: { minutes: 1 } }], {}, fold);
  expect(hasTaskAtWork(fold.state)).toBe(false);
  task.start();
  expect(hasTaskAtWork(fold.state)).toBe(true);
});

it('a folder is opened for a task that waits for an action of another extension, and not for one that a person paused', () => {
  const fold = startFold();
  const task = playedTask([{ name: 'Shout', action: 'acme.hand/shout' }], {}, fold);
  task.start();
  const pause = (reason: string): void =>
    fold.commit({ type: 'task_paused', task_id: task.taskId, reason, by: 'engine', approval: null, message: null });
  pause('paused by you');
  expect(hasTaskAtWork(fold.state)).toBe(false);
  fold.commit({ type: 'task_resumed', task_id: task.taskId, by: 'engine' });
  pause(missingAction('acme.hand/shout'));
  expect(hasTaskAtWork(fold.state)).toBe(true);
});

it('a new project, and the main agent, are answered as the settings say', () => {
  expect(completed(state, 'createProject', { name: 'new' })).toEqual({ name: 'new', provider: 'anthropic' });
  const given = { name: 'new', provider: 'simulated' as const, model: null };
  expect(completed(state, 'createProject', given)).toEqual(given);
  user.settings['models.main'] = 'claude-opus-5-5';
  expect(completed(state, 'sendMessage', { project: 'main', text: 'x' })).toEqual({
    project: 'main',
    text: 'x',
    provider: 'anthropic',
    model: 'claude-opus-5-5',
  });
  expect(completed(state, 'sendMessage', { project: 'own', text: 'x' })).toEqual({ project: 'own', text: 'x' });
});

it('the models of the editor have no default one', () => {
  user.settings['provider'] = 'vscode-lm';
  expect(() => completed(state, 'createProject', { name: 'new' })).toThrow('No language model');
  expect(() => completed(state, 'sendMessage', { project: 'main', text: 'x' })).toThrow('No language model');
  user.settings['models.editor'] = 'copilot/gpt';
  expect(completed(state, 'createProject', { name: 'new' })).toMatchObject({ model: 'copilot/gpt' });
});

it('a project goes on by itself when it has something to answer or looks around, and may run', () => {
  const waiting = messageRow({ project_id: 'api', direction: 'in', sender: 'steward' });
  const beat = { minutes: 5, prompt: 'Look around.' };
  const goesOn = (...of: Parameters<typeof projectRow>): boolean =>
    hasProjectAtWork(stateOf({ projects: [projectRow({ id: 'api', ...of[0] })], messages: [waiting] }));
  expect(goesOn({})).toBe(true);
  expect(goesOn({ status: 'suspended' })).toBe(false);
  expect(goesOn({ parked: 'it died' })).toBe(false);
  expect(hasProjectAtWork(stateOf({ projects: [projectRow({ id: 'api' })] }))).toBe(false);
  expect(hasProjectAtWork(stateOf({ projects: [projectRow({ id: 'api', heartbeat: beat })] }))).toBe(true);
});
