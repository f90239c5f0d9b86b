import { expect, test } from 'vitest';
import { need } from '../../../../src/core/state/rows.ts';
import type { ApprovalRow } from '../../../../src/shared/approval.ts';
import { taskSchema } from '../../../../src/shared/task/tasks.ts';
import type { StepResult } from '../../../../src/shared/task/taskWork.ts';
import {
  gave,
  notifyStep as note,
  generateStep as say,
  type TaskWorld,
  taskWorlds,
  went,
} from '../../../support/world/taskWorld.ts';

const MINUTE_MS = 60_000;
const open = taskWorlds();

const refused = (more: Partial<Extract<StepResult, { outcome: 'unavailable' }>>): StepResult => ({
  outcome: 'unavailable',
  code: 'LIMIT_REACHED',
  detail: 'the limit is reached',
  hint: '',
  wakeAt: null,
  limit: 'task',
  raiseTo: 5_000_000,
  ...more,
});

function question(world: TaskWorld, nth = 0): Promise<ApprovalRow> {
  const asked = () => [...world.store.state.approvals.values()].filter(({ status }) => status === 'pending')[nth];
  return world
    .until(() => asked() !== undefined, 'a question')
    .then(() => need(world.store.state, 'approvals', asked()?.id ?? 0));
}

const decide = (world: TaskWorld, id: number, decision: 'approved' | 'rejected', more: object = {}) =>
  world.store.commit({ type: 'approval_decided', id, decision, choice: null, feedback: null, by: 'steward', ...more });

test('a checkpoint is a fence until its summary is there, made from the real results; one that cannot be had is never invented', async () => {
  const world = await open();
  const steps = [say('One', 'one', { isCheckpoint: true }), say('Two', 'two', { isCheckpoint: true })];
  const id = await world.begin(steps, { completionBehavior: 'NOTIFY_AND_SUMMARIZE' });
  (await world.flight(0)).end(gave('the first result'));
  const summary = await world.flight(1);
  await world.rest();
  expect(world.flights).toHaveLength(2);
  expect(world.statuses(id)).toBe('COMPLETED PENDING');
  expect(summary.order).toMatchObject({ role: 'summarizer', model: 'claude-haiku-5-5' });
  expect(summary.order.kind === 'generate' && summary.order.prompt).toContain('the first result');
  await world.kill();
  (await world.flight(2)).end(gave('All is well.'));
  const two = await world.flight(3);
  expect(world.task(id).last_checkpoint_summary).toBe('All is well.');
  two.end(gave('the second result'));
  (await world.flight(4)).end(refused({ code: 'KEY_MISSING', detail: 'there is no API key' }));
  (await world.flight(5)).end(went('it was refused'));
  await world.over(id);
  expect(world.task(id).last_checkpoint_summary).toBe(
    '(No summary could be made: there is no API key. The results as they are:)\n- 1. One: the first result\n- 2. Two: the second result',
  );
  expect(world.task(id).summary).toContain('No summary could be made: it was refused');
  expect(world.messages).toHaveLength(3);
});

test('steps that are added while the whole is summed up are carried out, and the whole is summed up again', async () => {
  const world = await open();
  const id = await world.begin([say('One', 'one')], { completionBehavior: 'NOTIFY_AND_SUMMARIZE' });
  (await world.flight(0)).end(gave('1'));
  const tooSoon = await world.flight(1);
  const session = {
    job_id: null,
    project_id: 'api',
    task_id: id,
    step_id: tooSoon.order.stepId,
    phase_id: null,
    notes: [],
  };
  await world.store.commit({ type: 'session_started', id: 1, role: 'summarizer', model: 'm', ...session });
  const { steps } = taskSchema.parse({ name: 'T', steps: [say('Two', 'two')] });
  await world.requests.addTaskSteps({ taskId: id, steps, by: 'steward' });
  const ended = { id: 1, status: 'completed', error_message: null, turns: 1 } as const;
  tooSoon.end({ outcome: 'completed', result: 'All of one.', session: ended });
  (await world.flight(2)).end(gave('2'));
  (await world.flight(3)).end(gave('All of both.'));
  await world.over(id);
  expect(world.task(id).summary).toBe('All of both.');
  expect(world.store.state.sessions.get(1)?.status).toBe('completed');
});

test('a question is a step: its answer is the result, a no fails it with the words', async () => {
  const world = await open();
  const ask = { name: 'Ask', action: 'approval', params: { question: 'Which?', choices: ['a', 'b'] } };
  const id = await world.begin([ask, note('Tell', '{{Ask.choice}}')]);
  const { id: first, kind, subject, task_id } = await question(world);
  expect({ kind, subject, task_id }).toEqual({
    kind: 'task',
    subject: `task:${id}:${world.steps(id)[0]?.id}`,
    task_id: id,
  });
  await world.kill();
  await world.rest();
  expect(world.store.state.approvals.size).toBe(1);
  await decide(world, first, 'approved', { choice: 'b' });
  await world.over(id);
  expect(world.results(id)).toEqual([{ approved: true, choice: 'b', feedback: null }, 'Tell\n\nb']);

  const second = await world.begin([ask]);
  await decide(world, (await question(world)).id, 'rejected', { feedback: 'neither' });
  await world.over(second, 'FAILED');
  expect(world.steps(second)[0]).toMatchObject({ error: 'it was rejected: neither', result: { approved: false } });
});

test('a limit that passes is waited for; another one pauses the task and asks, and the answer raises the budget', async () => {
  const world = await open();
  const id = await world.begin([say('One', 'x')], { budgetUsd: 1 });
  const wakeAt = new Date(world.clock.now() + 10 * MINUTE_MS).toISOString();
  (await world.flight(0)).end(refused({ limit: 'day', wakeAt }));
  await world.until(() => world.steps(id)[0]?.wake_at === wakeAt);
  await world.kill();
  await world.rest();
  expect(world.flights).toHaveLength(1);
  // A clock that is put back prolongs nothing.
  world.clock.setWall(world.clock.now() - 24 * 60 * MINUTE_MS);
  world.clock.advance(10 * MINUTE_MS);
  (await world.flight(1)).end(refused({}));
  await world.over(id, 'PAUSED');
  const asked = await question(world);
  expect(asked).toMatchObject({ kind: 'limit', task_id: id, job_id: null });
  await decide(world, asked.id, 'approved');
  (await world.flight(2)).end(gave('done'));
  await world.over(id);
  expect(world.task(id).budget_micro_usd).toBe(5_000_000);
  expect(world.steps(id)[0]?.tries).toBe(0);

  const second = await world.begin([say('One', 'x')], { budgetUsd: 1 });
  (await world.flight(3)).end(refused({}));
  const no = await question(world);
  await expect(world.requests.resumeTask({ taskId: second, by: 'main' })).rejects.toThrow('waits for the steward');
  await decide(world, no.id, 'rejected', { feedback: 'enough' });
  await world.rest();
  expect(world.task(second).status).toBe('PAUSED');
  await expect(world.requests.resumeTask({ taskId: second, budgetMicroUsd: 9, by: 'agent' })).rejects.toThrow(
    'steward',
  );
  await world.requests.resumeTask({ taskId: second, budgetMicroUsd: 9_000_000, by: 'steward' });
  (await world.flight(4)).end(gave('done'));
  await world.over(second);
});

test('a command that must be asked about goes again with the answer', async () => {
  const world = await open();
  const id = await world.begin([{ name: 'Run', action: 'command', params: { command: 'ls' } }]);
  const asked = { kind: 'command', subject: 'command:ls', question: 'Run ls?', detail: '', choices: [] } as const;
  (await world.flight(0)).end({ outcome: 'ask', asked });
  await decide(world, (await question(world)).id, 'approved');
  (await world.flight(1)).end(gave('files'));
  await world.over(id);
});

test('a brief is filed once under the id in its start, over any kill; its end is the result; it goes with its task', async () => {
  const world = await open();
  const build = { name: 'Build', action: 'run_brief', params: { brief: 'Build it.' } };
  const id = await world.begin([build, note('Tell', '{{Build.status}}')]);
  await world.until(() => world.store.state.jobs.size === 1);
  await world.kill();
  await world.rest();
  expect(world.briefs).toEqual(['job-1']);
  // Nobody else sees to it where the new owner is no editor.
  expect(world.taken).toEqual(['job-1']);
  await world.store.commit({ type: 'job_failed', job_id: 'job-1', reason: 'it cannot be done' });
  await world.over(id, 'FAILED');
  expect(world.task(id).reason).toBe('Build: its job job-1 was failed: it cannot be done');
  expect(world.steps(id)[0]?.result).toMatchObject({ jobId: 'job-1', status: 'failed' });
  await world.requests.retryTask({ taskId: id, by: 'steward' });
  await world.until(() => world.store.state.jobs.size === 2);
  await world.requests.cancelTask({ taskId: id, reason: 'enough', by: 'steward' });
  await world.until(() => world.store.state.jobs.get('job-2')?.status === 'cancelled');
});

test('tells how far it is after each interval, once for all that were missed', async () => {
  const world = await open();
  const id = await world.begin([note('First'), { name: 'Wait', action: 'wait', params: { minutes: 100 } }], {
    notifyOnProgress: true,
    progressIntervalMinutes: 30,
  });
  await world.rest();
  world.clock.advance(30 * MINUTE_MS);
  await world.rest();
  expect(world.messages).toEqual([
    'info: First\n\nFirst',
    'info: Task: 50 %, 1 of 2 steps, about 70 minutes left. Now: Wait.',
  ]);
  world.clock.setWall(world.clock.now() + 65 * MINUTE_MS);
  world.clock.advance(15_000);
  await world.rest();
  expect(world.messages).toHaveLength(3);
  world.clock.advance(MINUTE_MS * 5);
  await world.over(id);
});

test('a schedule makes one task for all times that were missed, none while one still runs, and says so', async () => {
  const world = await open();
  const definition = {
    name: 'Daily',
    completionBehavior: 'SILENT',
    steps: [{ name: 'Wait', action: 'wait', params: { minutes: 90 } }],
  };
  const input = { project: 'api', name: 'Hourly', cron: '0 * * * *', timeZone: 'UTC', enabled: true, keep: 2 };
  const { nextAt } = await world.requests.setSchedule({ ...input, definition: taskSchema.parse(definition) });
  expect(nextAt).toBe('2026-11-21T13:00:00.000Z');
  const tasks = () => [...world.store.state.tasks.values()];
  const dues = () => tasks().map(({ due_at, status }) => `${due_at?.slice(11, 16)} ${status}`);
  world.clock.advance(60 * MINUTE_MS);
  await world.rest();
  expect(dues()).toEqual(['13:00 RUNNING']);
  world.clock.advance(60 * MINUTE_MS);
  await world.rest();
  expect(dues()).toEqual(['13:00 RUNNING']);
  expect([...world.store.state.task_logs.values()].at(-1)?.text).toContain(
    'due at 2026-11-21T14:00:00.000Z, is left out',
  );
  world.clock.advance(40 * MINUTE_MS);
  await world.rest();
  expect(dues()).toEqual(['13:00 COMPLETED']);
  // Nobody was there for a day.
  world.clock.setWall(world.clock.now() + 24 * 60 * MINUTE_MS);
  await world.kill();
  await world.rest();
  expect(dues()).toEqual(['13:00 COMPLETED', '14:00 RUNNING']);
});

test('refuses a start with all that is wrong, and what an agent may not', async () => {
  const world = await open();
  const { requests } = world;
  const make = (steps: object[], by: 'steward' | 'api' | 'main' | 'agent' = 'steward') =>
    requests.createTask({ project: 'api', definition: taskSchema.parse({ name: 'T', steps }), start: false, by });
  const { taskId, problems } = await make([say('A', '{{Nobody}}'), say('A', '{{step_7_result}}')]);
  expect(problems).toHaveLength(3);
  await expect(requests.startTask({ taskId, by: 'steward' })).rejects.toMatchObject({ details: { problems } });
  expect(world.task(taskId).status).toBe('PENDING');
  await expect(requests.removeTask({ taskId, by: 'main' })).rejects.toThrow('an agent does not change it');
  await expect(requests.cancelTask({ taskId, reason: '', by: 'agent' })).rejects.toThrow('an agent does not change it');
  await requests.cancelTask({ taskId, reason: '', by: 'main' });
  const ungated = { name: 'Build', action: 'run_brief', params: { brief: 'Build it.', gates: [] } };
  await expect(make([ungated], 'agent')).rejects.toThrow('an agent does not set gates of a brief');
  await expect(make([ungated], 'api')).rejects.toThrow('a program at the API does not set gates of a brief');
  await make([ungated]);
  for (let at = 0; at < 20; at++) await make([note('N')], 'agent');
  await expect(make([note('N')], 'main')).rejects.toThrow('20 tasks that agents made here are not over');
  const id = await world.begin([{ name: 'Wait', action: 'wait', params: { minutes: 1 } }]);
  const bad = taskSchema.parse({ name: 'T', steps: [note('Wait')] }).steps;
  await expect(requests.addTaskSteps({ taskId: id, steps: bad, by: 'steward' })).rejects.toThrow('right at once');
});
