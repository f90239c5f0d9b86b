/** Tasks and schedules. */
import { newSteps, newTask } from '../../../src/core/task/script/newTask.ts';
import { type TaskInput, taskSchema } from '../../../src/shared/task/tasks.ts';
import type { EventDraft } from '../../../src/shared/workspace/events.ts';
import { newApproval } from '../state/builders.ts';
import { stepBegun, taskStepped } from '../state/taskRows.ts';
import { commit, message } from './drafts.ts';

const DEFINITION: TaskInput = {
  name: 'Market research',
  objective: 'Know the market',
  steps: [
    { name: 'wait', action: 'wait', params: { minutes: 1 } },
    { name: 'ask', action: 'approval', params: { question: 'Go on?' }, isCheckpoint: true },
  ],
};

function defined(id: string, ids: readonly number[]) {
  const definition = taskSchema.parse(DEFINITION);
  const task = newTask(definition, { id, project_id: 'default', template: null, created_by: 'steward' });
  return { task, steps: newSteps(definition.steps, ids) };
}

export const TASKS: readonly EventDraft[] = [
  {
    type: 'schedule_set',
    schedule: {
      id: 1,
      project_id: 'default',
      name: 'nightly',
      cron: '0 3 * * *',
      time_zone: 'Europe/Berlin',
      definition: taskSchema.parse(DEFINITION),
      enabled: true,
      keep: 5,
    },
    by: 'steward',
  },
  {
    type: 'schedule_set',
    schedule: {
      id: 2,
      project_id: 'default',
      name: 'weekly',
      cron: '0 3 * * 1',
      time_zone: 'UTC',
      definition: taskSchema.parse(DEFINITION),
      enabled: false,
      keep: 5,
    },
    by: 'steward',
  },
  { type: 'schedule_removed', id: 2, by: 'steward' },
  { type: 'task_created', ...defined('t1', [1, 2]), schedule: { id: 1, due_at: '2026-11-02T02:00:00.000Z' } },
  { type: 'task_defined', ...defined('t1', [3, 4]), by: 'steward' },
  { type: 'task_started', task_id: 't1', by: 'steward' },
  { type: 'task_cloned', task_id: 't1', clone_dir: '/jobs/tasks/t1', commit: commit('a') },
  { type: 'task_noted', task_id: 't1', step_id: null, level: 'info', text: 'cloned' },
  taskStepped('t1', { started: [{ ...stepBegun(3), wake_at: '2026-11-02T12:05:00.000Z' }] }),
  {
    type: 'task_step_waiting',
    task_id: 't1',
    step_id: 3,
    wake_at: '2026-11-02T12:06:00.000Z',
    reason: 'the day is spent',
  },
  taskStepped('t1', {
    ended: [{ step_id: 3, session: null, outcome: 'completed', result: { n: 1 }, artifact: null, bytes: 7 }],
    started: [stepBegun(4)],
  }),
  {
    type: 'task_step_asked',
    task_id: 't1',
    step_id: 4,
    approval: newApproval({
      id: 5,
      job_id: null,
      project_id: 'default',
      task_id: 't1',
      kind: 'task',
      subject: 'step:4',
    }),
  },
  { type: 'approval_decided', id: 5, decision: 'approved', choice: null, feedback: 'Yes', by: 'steward' },
  { type: 'task_progressed', task_id: 't1', message: message(4, { sender: 'task', task_id: 't1', level: 'info' }) },
  taskStepped('t1', {
    ended: [
      {
        step_id: 4,
        session: null,
        outcome: 'completed',
        result: null,
        artifact: `${'c'.repeat(64)}.txt`,
        bytes: 99_999,
      },
    ],
  }),
  { type: 'task_checkpointed', task_id: 't1', step_id: 4, summary: 'Half way', session: null, message: null },
  { type: 'task_completed', task_id: 't1', summary: 'Known', session: null, message: null },
  { type: 'task_created', ...defined('t2', [5, 6]), schedule: null },
  { type: 'task_started', task_id: 't2', by: 'main' },
  { type: 'task_paused', task_id: 't2', reason: 'paused by you', by: 'steward', approval: null, message: null },
  { type: 'task_resumed', task_id: 't2', by: 'steward', budget_micro_usd: 500_000 },
  {
    type: 'task_steps_added',
    task_id: 't2',
    steps: newSteps(
      taskSchema.parse({ ...DEFINITION, steps: [{ name: 'tell', action: 'notify', params: { message: 'Done' } }] })
        .steps,
      [7],
    ),
    by: 'main',
  },
  taskStepped('t2', { started: [stepBegun(5)] }),
  taskStepped('t2', {
    ended: [{ step_id: 5, session: null, outcome: 'failed', error: 'away', result: null, retryAt: null }],
  }),
  { type: 'task_failed', task_id: 't2', reason: 'wait failed', message: null },
  { type: 'task_retried', task_id: 't2', by: 'steward' },
  { type: 'task_cancelled', task_id: 't2', reason: 'cancelled by you', by: 'steward' },
  { type: 'task_created', ...defined('t3', [8, 9]), schedule: null },
  { type: 'task_cancelled', task_id: 't3', reason: 'cancelled by you', by: 'steward' },
  { type: 'task_removed', task_id: 't3', by: 'steward' },
  { type: 'task_created', ...defined('t4', [10, 11]), schedule: null },
  { type: 'task_started', task_id: 't4', by: 'steward' },
  taskStepped('t4', { started: [{ ...stepBegun(10), wake_at: '2026-11-02T13:00:00.000Z' }] }),
];
