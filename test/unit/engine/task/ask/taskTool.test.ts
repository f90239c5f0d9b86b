/** `long_running_task`, as the main agent, one from outside and a project's own conversation have it. */
import { describe, expect, test } from 'vitest';
import { taskSteps } from '../../../../../src/core/state/rows.ts';
import { conversationTasks } from '../../../../../src/engine/task/ask/conversationTasks.ts';
import { mainAgentWorld } from '../../../../support/world/mainAgentWorld.ts';
import { CREATE, STEPS } from '../../../../support/world/taskPorts.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

async function withProject() {
  const world = await mainAgentWorld();
  await world.call('create_project', { name: 'api', goal: 'Move it' });
  const task = (input: object) => world.outside('long_running_task', input);
  const made = (text: string) => /task-[0-9a-f]+/.exec(text)?.[0] ?? '';
  return { ...world, task, made };
}

test('the four calls of the seed make, fill, start and watch a task', async () => {
  const { state, task, made } = await withProject();
  const told = await task({ ...CREATE, project: 'api' });
  const taskId = made(told);
  expect(told).toContain('Now add_steps, then start.');
  expect(await task({ action: 'add_steps', taskId, steps: STEPS })).toContain('Added as step 1');
  expect(await task({ action: 'start', taskId })).toContain(`Started task ${taskId}`);
  const progress = await task({ action: 'get_progress', taskId });
  expect(progress).toContain('"Research Project": RUNNING, 0 %, 0 of 1 steps over.');
  expect(progress).toMatch(/time left: about 60 min/);
  expect(await task({ action: 'get_report', taskId })).toContain('Gather and synthesize information');
  expect(await task({ action: 'get_progress' })).toBe(await task({ action: 'get_progress', project: 'api' }));
  expect(state.tasks.get(taskId)).toMatchObject({ project_id: 'api', created_by: 'main', budget_micro_usd: null });
});

test('a round that was interrupted runs again and does nothing twice', async () => {
  const { state, task, made } = await withProject();
  const create = { ...CREATE, project: 'api', steps: STEPS };
  const taskId = made(await task(create));
  expect(await task(create)).toBe(`That task exists already: ${taskId}, PENDING. get_progress returns its progress.`);
  const more = { action: 'add_steps', taskId, steps: [{ name: 'Two', action: 'wait', params: { minutes: 1 } }] };
  await task(more);
  expect(await task(more)).toContain('has these steps already');
  for (const [action, said] of [
    ['start', 'runs already'],
    ['pause', 'is paused already'],
    ['resume', 'runs already'],
    ['cancel', 'is cancelled already'],
  ] as const) {
    await task({ action, taskId });
    expect(await task({ action, taskId }), action).toContain(said);
  }
  expect([...state.tasks.values()].map((row) => taskSteps(state, row).length)).toEqual([2]);
  // It is over: the same asking means another one.
  expect(made(await task(create))).not.toBe(taskId);
});

test('a failed task is retried at the step that failed, once', async () => {
  const { world, task, made, state } = await withProject();
  const taskId = made(await task({ ...CREATE, project: 'api', steps: STEPS }));
  await task({ action: 'start', taskId });
  await expect(task({ action: 'retry', taskId })).resolves.toContain('runs already');
  await world.store.commit({ type: 'task_failed', task_id: taskId, reason: 'no luck', message: null });
  expect(await task({ action: 'retry', taskId })).toContain('resumes at the step that failed');
  expect(state.tasks.get(taskId)?.status).toBe('RUNNING');
  await task({ action: 'cancel', taskId });
  await expect(task({ action: 'retry', taskId })).rejects.toEqual(code('ILLEGAL_TRANSITION'));
});

test.each([
  [{ action: 'create' }, 'INVALID_INPUT', /create: it needs name/],
  [{ action: 'start' }, 'INVALID_INPUT', /start: it needs taskId/],
  [{ action: 'add_steps', taskId: 't', name: 'x' }, 'INVALID_INPUT', /needs steps; it takes no name/],
  [{ action: 'pause', taskId: 'nobody' }, 'NOT_FOUND', /there is no task nobody/],
  [{ action: 'remove', taskId: 't' }, 'INVALID_INPUT', /create.*add_steps/],
  [{ ...CREATE, steps: [{ name: 'x', action: 'approve' }] }, 'INVALID_INPUT', /one of llm_generate/],
  [{ ...CREATE, budgetUsd: 100 }, 'NOT_PERMITTED', /what may be spent is set by the steward alone/],
  [{ action: 'resume', taskId: 't', budgetMicroUsd: 1 }, 'NOT_PERMITTED', /what may be spent/],
  [{ ...CREATE, project: 'gone' }, 'NOT_FOUND', /there is no project gone/],
] as const)('%j is refused with what would be right', async (input, expected, reason) => {
  const { task, state } = await withProject();
  const refused = await task(input).catch((thrown: unknown) => thrown);
  expect(refused).toEqual(code(expected));
  expect(String(refused)).toMatch(reason);
  expect(state.tasks.size).toBe(0);
});

test('what waits for the steward goes on by his answer alone', async () => {
  const { world, task, made, state } = await withProject();
  const taskId = made(await task({ ...CREATE, project: 'api', steps: STEPS }));
  await task({ action: 'start', taskId });
  const approval = {
    id: 70,
    job_id: null,
    project_id: 'api',
    task_id: taskId,
    feature_id: null,
    phase_id: null,
    commit: null,
    kind: 'limit',
    subject: 'limit:task',
    question: 'May the task cost more?',
    detail: '',
    choices: [],
    executables: [],
  } as const;
  await world.store.commit({
    type: 'task_paused',
    task_id: taskId,
    reason: 'its budget is used up',
    by: 'engine',
    approval,
    message: null,
  });
  await expect(task({ action: 'resume', taskId })).rejects.toThrow('waits for the steward: May the task cost more?');
  expect(await task({ action: 'get_progress', taskId })).toContain('question 70: "May the task cost more?"');
  expect(state.approvals.get(70)?.status).toBe('pending');
});

describe("a project's own conversation", () => {
  async function conversation() {
    const world = await withProject();
    const { clock, store } = world.world;
    await world.tools.request('createProject', { name: 'web', goal: 'Other' });
    for (const [index, project_id] of ['api', 'web'].entries()) {
      await store.commit({
        type: 'session_started',
        id: index + 1,
        job_id: null,
        project_id,
        role: 'project',
        model: 'm',
        phase_id: null,
        notes: [],
      });
    }
    const { state, request } = world.tools;
    return { ...world, call: conversationTasks({ state, request, now: () => clock.now() }) };
  }

  test('makes and leads tasks of its project alone', async () => {
    const { call, made, state, task } = await conversation();
    const taskId = made(await call('api', 1, CREATE));
    expect(state.tasks.get(taskId)).toMatchObject({ project_id: 'api', created_by: 'agent' });
    expect(made(await call('api', 1, CREATE))).toBe(taskId);
    await call('api', 1, { action: 'cancel', taskId });
    // The same turn, and the same asking: an interrupted round finds what it made, over or not.
    expect(made(await call('api', 1, CREATE))).toBe(taskId);

    await expect(call('web', 2, { action: 'get_report', taskId })).rejects.toThrow('this project has no task');
    await expect(call('api', 2, CREATE)).rejects.toEqual(code('NOT_PERMITTED'));
    await expect(call('api', 1, { ...CREATE, project: 'web' })).rejects.toEqual(code('INVALID_INPUT'));
    expect(await call('web', 2, { action: 'get_progress' })).toBe('There is no task.');
    expect(await task({ action: 'get_progress' })).toContain(taskId);
  });
});
