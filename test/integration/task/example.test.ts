/** Tasks in a real owner: its store, its gateway and a real thread, answered by the simulated model. */
import { expect, test } from 'vitest';
import { taskSteps } from '../../../src/core/state/rows.ts';
import type { TaskRow, TaskStepRow } from '../../../src/shared/task/tasks.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const taskOf = (world: EngineWorld, id: string): TaskRow | undefined => world.state.tasks.get(id);
const stepsOf = (world: EngineWorld, id: string): TaskStepRow[] => {
  const task = taskOf(world, id);
  return task === undefined ? [] : taskSteps(world.state, task);
};
const isOver = (world: EngineWorld, id: string): Promise<unknown> =>
  world.until(`${id} is over`, () => !['PENDING', 'RUNNING'].includes(taskOf(world, id)?.status ?? 'PENDING'));

test('the usage example of seed 004 runs to its end: checkpoint, references, summary, cost and events', async () => {
  await using world = await EngineWorld.open();
  const { owner } = world;
  const { taskId } = await owner.request('createTask', {
    definition: {
      name: 'Market Research',
      description: 'Research competitors in the AI space',
      objective: 'Create a comprehensive competitor analysis',
      estimatedDurationMinutes: 120,
      completionBehavior: 'NOTIFY_AND_SUMMARIZE',
      notifyOnProgress: true,
      progressIntervalMinutes: 30,
      provider: 'simulated',
      scenario: 'tasks',
    },
  });
  await owner.request('addTaskSteps', {
    taskId,
    steps: [
      {
        name: 'Identify Competitors',
        action: 'llm_generate',
        params: { prompt: 'List top 10 AI companies...' },
        isCheckpoint: true,
      },
      {
        name: 'Gather Details',
        action: 'llm_generate',
        params: { prompt: 'For each competitor: {{step_1_result}}...' },
      },
    ],
  });
  await owner.request('startTask', { taskId });
  await isOver(world, taskId);
  const task = taskOf(world, taskId);
  expect(task).toMatchObject({ status: 'COMPLETED', reason: null });
  const [found, details] = stepsOf(world, taskId).map(({ result }) => String(result));
  expect(found).toContain('Aldertree');
  expect(details).toContain('Aldertree');
  expect(task?.last_checkpoint_summary).not.toContain('No summary could be made');
  expect(task?.summary).not.toContain('No summary could be made');
  const logs = [...world.state.task_logs.values()].flatMap(({ event }) => (event === null ? [] : [event]));
  expect(logs).toEqual([
    'task:started',
    'task:step_completed',
    'task:progress',
    'task:checkpoint',
    'task:step_completed',
    'task:progress',
    'task:completed',
  ]);
  const messages = [...world.state.messages.values()].filter(({ task_id }) => task_id === taskId);
  expect(messages.map(({ sender, level }) => `${sender} ${level}`)).toEqual(['task info', 'task success']);
  const spends = [...world.state.spends.values()];
  expect(spends.map(({ task_id, role, status }) => `${task_id === taskId} ${role} ${status}`)).toEqual([
    'true task settled',
    'true summarizer settled',
    'true task settled',
    'true summarizer settled',
  ]);
  expect([...world.state.sessions.values()].map(({ status }) => status)).toEqual(Array(4).fill('completed'));
});

test('a budget that is used up asks the steward, whose answer raises it and lets the task go on; a brief and a question are steps too', async () => {
  await using world = await EngineWorld.open();
  const { owner } = world;
  const { taskId } = await owner.request('createTask', {
    start: true,
    definition: {
      name: 'Build it',
      budgetUsd: 0.000_001,
      steps: [
        { name: 'Think', action: 'llm_generate', params: { prompt: 'What is to be built?', maxTokens: 100 } },
        {
          name: 'Really',
          action: 'approval',
          params: { question: 'Build "{{Think}}"?', choices: ['small', 'large'] },
        },
        {
          name: 'Build',
          action: 'run_brief',
          params: { brief: 'Build it {{Really.choice}}.', gates: [], mergeMode: 'branch' },
        },
      ],
      provider: 'simulated',
    },
  });
  const asked = await world.until('the budget is asked about', () =>
    [...world.state.approvals.values()].find(({ kind, status }) => kind === 'limit' && status === 'pending'),
  );
  expect(asked).toMatchObject({ task_id: taskId, job_id: null });
  expect(taskOf(world, taskId)?.status).toBe('PAUSED');
  await owner.request('decide', { approvalId: asked.id, decision: 'approved', choice: 'raise' });
  const question = await world.until('it is asked whether to build', () =>
    [...world.state.approvals.values()].find(({ kind, status }) => kind === 'task' && status === 'pending'),
  );
  expect(taskOf(world, taskId)?.budget_micro_usd).toBeGreaterThan(1);
  await owner.request('decide', { approvalId: question.id, decision: 'approved', choice: 'large' });
  const job = await world.until('a job is filed', () => [...world.state.jobs.values()][0]);
  expect(job.brief).toBe('Build it large.');
  expect(stepsOf(world, taskId)[2]?.job_id).toBe(job.id);
  await owner.request('cancelTask', { taskId });
  await world.until('its job is cancelled', () => world.state.jobs.get(job.id)?.status === 'cancelled');
});

test('without a key a task that needs none comes to its end: its summaries are the plain results, and no session stays open', async () => {
  await using world = await EngineWorld.open({ key: null });
  const { taskId } = await world.owner.request('createTask', {
    start: true,
    definition: {
      name: 'Plain',
      completionBehavior: 'NOTIFY_AND_SUMMARIZE',
      steps: [{ name: 'Tell', action: 'notify', params: { title: 'It is there' }, isCheckpoint: true }],
    },
  });
  await isOver(world, taskId);
  const task = taskOf(world, taskId);
  expect(task?.status).toBe('COMPLETED');
  expect(task?.last_checkpoint_summary).toMatch(/No summary could be made: .*key.*\n- 1\. Tell: It is there$/s);
  expect(task?.summary).toContain('No summary could be made');
  expect([...world.state.sessions.values()].map(({ status }) => status)).toEqual(['failed', 'failed']);
});
