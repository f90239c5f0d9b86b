/** The four calls of seed 004, made by a project's own conversation. */
import { expect, it } from 'vitest';
import { taskSteps } from '../../../src/core/state/rows.ts';
import type { EngineRequests } from '../../../src/engine/job/requests/ports.ts';
import { conversationTasks } from '../../../src/engine/task/ask/conversationTasks.ts';
import { taskRequests } from '../../../src/engine/task/ask/requests.ts';
import { handleRequest } from '../../../src/engine/workspace/requests.ts';
import { failure, toPlain } from '../../../src/shared/errors.ts';
import { TASK_TOOL } from '../../../src/shared/task/taskTool.ts';
import { call, calls, resultsIn, says } from '../../support/session/sessionBench.ts';
import { type TalkWorld, talkWorlds } from '../../support/world/talkWorld.ts';
import { CREATE, STEPS, taskPorts } from '../../support/world/taskPorts.ts';

const world = talkWorlds();

it('makes, fills, starts and watches a task, once though its round was interrupted', async () => {
  // The model reads the id in the answer to its first call.
  const add = { action: 'add_steps', taskId: '', steps: STEPS };
  const start = { action: 'start', taskId: '' };
  const watch = { action: 'get_progress', taskId: '' };
  let killed = false;
  const api: TalkWorld = await world(
    [
      calls(call(TASK_TOOL, CREATE)),
      calls(call(TASK_TOOL, add)),
      calls(call(TASK_TOOL, start), call(TASK_TOOL, watch)),
      says('It runs.'),
    ],
    {
      owner: {
        taskTool: async (sessionId, input) => {
          const value = await tool('api', sessionId, input);
          const [task] = api.store.state.tasks.keys();
          for (const later of [add, start, watch]) later.taskId = task ?? '';
          if (killed) return { value };
          killed = true;
          return { failure: toPlain(failure('OWNER_LOST', 'killed before the answer came')) };
        },
      },
    },
  );
  const requests = taskRequests(taskPorts(api.store)) as EngineRequests;
  const tool = conversationTasks({
    state: api.store.state,
    request: (name, input) => handleRequest(requests, name, input),
    now: () => api.clock.now(),
  });
  await api.say('Research topic X.');
  expect(await api.converse()).toMatchObject({ code: 'OWNER_LOST' });
  await api.again();
  expect(await api.converse()).toBeNull();

  const tasks = [...api.store.state.tasks.values()];
  expect(tasks).toMatchObject([
    { name: 'Research Project', created_by: 'agent', project_id: 'api', status: 'RUNNING' },
  ]);
  expect(tasks.flatMap((task) => taskSteps(api.store.state, task))).toMatchObject([
    { name: 'Step 1', is_checkpoint: true },
  ]);
  const answers = JSON.stringify(resultsIn(api.model, 3));
  expect(answers).toContain('Started task');
  expect(answers).toContain('RUNNING, 0 %, 0 of 1 steps over');
  expect(api.model.left).toBe(0);
});
