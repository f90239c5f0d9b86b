/** Templates through a real owner: one that comes with the extension, and one that is kept of a task and used again. */
import { expect, test } from 'vitest';
import { need, taskSteps } from '../../../src/core/state/rows.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

test('a task is made of a template, kept as one, and made of that again', async () => {
  await using world = await EngineWorld.open();
  const parameters = { topic: 'competitors', depth: 'quick' };
  const first = await world.owner.request('createTask', { template: 'research-report', parameters });
  expect(first.problems).toEqual([]);
  const { path } = await world.owner.request('saveTaskTemplate', { taskId: first.taskId, name: 'mine' });
  expect(path.endsWith('/.autonomous/templates/tasks/mine.yaml')).toBe(true);
  await expect(world.owner.request('saveTaskTemplate', { taskId: first.taskId, name: 'mine' })).rejects.toThrow(
    /already/,
  );
  await world.owner.request('saveTaskTemplate', { taskId: first.taskId, name: 'mine', replace: true });
  const again = await world.owner.request('createTask', { template: 'mine' });
  expect(again.problems).toEqual([]);
  const steps = [first, again].map(({ taskId }) => {
    return taskSteps(world.state, need(world.state, 'tasks', taskId)).map(({ name, action, params }) => ({
      name,
      action,
      params,
    }));
  });
  expect(steps[1]).toEqual(steps[0]);
  await expect(world.owner.request('createTask', { template: 'research-report' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: 'the parameter topic is missing',
  });
});
