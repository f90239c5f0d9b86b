/** What the events of a task refuse, what goes with them, and what they leave in its log. */
import { describe, expect, it } from 'vitest';
import { newSteps, newTask } from '../../../../src/core/task/script/newTask.ts';
import type { StepEnd } from '../../../../src/shared/task/taskEvents.ts';
import { taskSchema } from '../../../../src/shared/task/tasks.ts';
import type { EventDraft } from '../../../../src/shared/workspace/events.ts';
import { type Fold, startFold } from '../../../support/state/fold.ts';
import { stepBegun, taskStepped } from '../../../support/state/taskRows.ts';

const task_id = 'task-1';
const by = 'steward';
const project_id = 'api';

type TaskCreated = Extract<EventDraft, { readonly type: 'task_created' }>;

function creation(steps: readonly unknown[], patch: Partial<TaskCreated> = {}, id = task_id, first = 1): TaskCreated {
  const definition = taskSchema.parse({ name: 'Market Research', steps });
  const ids = definition.steps.map((_, index) => first + index);
  return {
    type: 'task_created',
    task: newTask(definition, { id, project_id, template: null, created_by: by }),
    steps: newSteps(definition.steps, ids),
    schedule: null,
    ...patch,
  };
}

const TWO = [
  { name: 'Find', action: 'notify', isCheckpoint: true },
  { name: 'Sum up', action: 'notify', onError: 'retry' },
];

function created(steps: readonly unknown[] = TWO): Fold {
  const fold = startFold();
  fold.commit({ type: 'project_created', project: { id: project_id, model: null, workdir: null }, by });
  fold.commit(creation(steps));
  return fold;
}

function running(): Fold {
  const fold = created();
  fold.commit({ type: 'task_started', task_id, by });
  return fold;
}

type Stepped = ReturnType<typeof taskStepped>;
const stepped = (patch: Partial<Stepped>): Stepped => taskStepped(task_id, patch);

const completedStep = (step_id: number): StepEnd => ({
  step_id,
  session: null,
  outcome: 'completed',
  result: { found: 3 },
  artifact: null,
  bytes: 11,
});
const failedStep = (step_id: number, retryAt: string | null): StepEnd => ({
  step_id,
  session: null,
  outcome: 'failed',
  error: 'no such host',
  result: null,
  retryAt,
});

const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'ILLEGAL_TRANSITION', message: expect.stringMatching(message) });

const stepOf = (fold: Fold, id: number) => fold.state.task_steps.get(id);
const events = (fold: Fold) => [...fold.state.task_logs.values()].map((row) => row.event);
const AT = '2026-11-02T13:00:00.000Z';

describe('steps', () => {
  it('end and begin in one line, with the log that followers hear', () => {
    const fold = running();
    fold.commit(stepped({ started: [stepBegun(1)] }));
    fold.commit(stepped({ ended: [completedStep(1)], started: [stepBegun(2, { wake_at: AT })] }));
    expect(stepOf(fold, 1)).toMatchObject({ status: 'COMPLETED', result: { found: 3 }, checkpoint: 'due' });
    expect(stepOf(fold, 2)).toMatchObject({ status: 'RUNNING', wake_at: AT, number: 2 });
    expect(events(fold)).toEqual(['task:started', 'task:step_completed', 'task:progress']);
    expect([...fold.state.task_logs.values()].at(-1)?.data).toMatchObject({ percent: 50, done: 1, total: 2 });
  });

  it('that failed for good, or are skipped, bring their task on too', () => {
    const fold = running();
    fold.commit(stepped({ started: [stepBegun(1)] }));
    fold.commit(stepped({ ended: [failedStep(1, AT)] }));
    expect(events(fold)).toEqual(['task:started', null]);
    fold.commit(stepped({ started: [stepBegun(1)] }));
    fold.commit(stepped({ ended: [failedStep(1, null)] }));
    fold.commit(stepped({ skipped: [2] }));
    expect(events(fold)).toEqual(['task:started', null, null, 'task:progress', 'task:progress']);
    expect([...fold.state.task_logs.values()].slice(-2).map(({ data }) => data['percent'])).toEqual([0, 50]);
  });

  it('of a task that resumes, or is retried, are announced by task:started', () => {
    const fold = running();
    fold.commit({ type: 'task_paused', task_id, reason: 'later', by, approval: null, message: null });
    fold.commit({ type: 'task_resumed', task_id, by });
    fold.commit({ type: 'task_failed', task_id, reason: 'it said no', message: null });
    fold.commit({ type: 'task_retried', task_id, by });
    expect(events(fold)).toEqual(['task:started', 'task:paused', 'task:started', 'task:failed', 'task:started']);
  });

  it('begin only while their task runs, and only their own task begins them', () => {
    const fold = created();
    expect(() => fold.commit(stepped({ started: [stepBegun(1)] }))).toThrow(refused(/PENDING: its steps cannot start/));
    fold.commit({ type: 'task_started', task_id, by });
    fold.commit(creation(TWO, {}, 'task-2', 11));
    expect(() => fold.commit(stepped({ started: [stepBegun(11)] }))).toThrow(refused(/not of task task-1/));
    fold.commit(stepped({ started: [stepBegun(1)] }));
    expect(() => fold.commit(stepped({ started: [stepBegun(1)] }))).toThrow(refused(/cannot start/));
  });

  it('never run again once completed', () => {
    const fold = running();
    fold.commit(stepped({ started: [stepBegun(1)] }));
    fold.commit(stepped({ ended: [completedStep(1)] }));
    expect(() => fold.commit(stepped({ ended: [completedStep(1)] }))).toThrow(refused(/cannot complete/));
    expect(() => fold.commit(stepped({ started: [stepBegun(1)] }))).toThrow(refused(/cannot start/));
  });

  it('go again after a failed try, which is counted, and after a death, which is not', () => {
    const fold = running();
    fold.commit(stepped({ started: [stepBegun(1)] }));
    fold.commit(stepped({ ended: [failedStep(1, AT)] }));
    expect(stepOf(fold, 1)).toMatchObject({ status: 'PENDING', tries: 1, wake_at: AT, error: 'no such host' });
    fold.commit(stepped({ started: [stepBegun(1)] }));
    fold.commit(stepped({ ended: [{ step_id: 1, session: null, outcome: 'interrupted', error: 'the thread died' }] }));
    expect(stepOf(fold, 1)).toMatchObject({ status: 'PENDING', tries: 1, crashes: 1 });
  });

  it('that ran when the task was paused end, and are kept', () => {
    const fold = running();
    fold.commit(stepped({ started: [stepBegun(1)] }));
    fold.commit({ type: 'task_paused', task_id, reason: 'later', by, approval: null, message: null });
    fold.commit(stepped({ ended: [completedStep(1)] }));
    expect(stepOf(fold, 1)?.status).toBe('COMPLETED');
    expect(() => fold.commit(stepped({ started: [stepBegun(2)] }))).toThrow(refused(/PAUSED/));
  });
});

describe('a task', () => {
  it('is completed only when none of its steps is open', () => {
    const fold = running();
    const completion = { type: 'task_completed', task_id, summary: null, session: null, message: null } as const;
    expect(() => fold.commit(completion)).toThrow(refused(/not over: Find/));
    fold.commit(stepped({ skipped: [1, 2] }));
    fold.commit(completion);
    expect(fold.state.tasks.get(task_id)?.status).toBe('COMPLETED');
  });

  it('that failed goes on where it failed: what is completed stays', () => {
    const fold = running();
    fold.commit(stepped({ started: [stepBegun(1)] }));
    fold.commit(stepped({ ended: [completedStep(1)], started: [stepBegun(2)] }));
    fold.commit(stepped({ ended: [failedStep(2, null)] }));
    fold.commit({ type: 'task_failed', task_id, reason: 'no such host', message: null });
    fold.commit({ type: 'task_retried', task_id, by });
    expect(fold.state.tasks.get(task_id)).toMatchObject({ status: 'RUNNING', ended_at: null, reason: null });
    expect(stepOf(fold, 1)?.status).toBe('COMPLETED');
    expect(stepOf(fold, 2)).toMatchObject({ status: 'PENDING', tries: 0, error: null });
  });

  it('takes its open steps, sessions and questions with it when it is cancelled', () => {
    const fold = running();
    const asked = {
      job_id: null,
      project_id,
      task_id,
      kind: 'task',
      subject: 'task:task-1:1',
      question: 'Go on?',
    } as const;
    const empty = { detail: '', phase_id: null, feature_id: null, commit: null, executables: [], choices: [] };
    fold.commit(stepped({ started: [stepBegun(1, { approval: { ...empty, ...asked, id: 7 } })] }));
    const session = { id: 3, job_id: null, project_id, task_id, step_id: 1, phase_id: null, notes: [] };
    fold.commit({ type: 'session_started', ...session, role: 'task', model: 'm' });
    expect(stepOf(fold, 1)).toMatchObject({ approval_id: 7, session_id: 3 });
    expect([...fold.state.task_logs.values()].at(-1)).toMatchObject({ level: 'warning', text: 'Find: Go on?' });
    fold.commit({ type: 'task_cancelled', task_id, reason: 'no use', by });
    expect([stepOf(fold, 1)?.status, stepOf(fold, 2)?.status]).toEqual(['CANCELLED', 'CANCELLED']);
    expect(fold.state.approvals.get(7)?.status).toBe('void');
    expect(fold.state.sessions.get(3)?.status).toBe('failed');
  });

  it('is paused with its project and goes on with it, but not when a person paused it', () => {
    const fold = running();
    fold.commit({ type: 'project_suspended', project_id, reason: 'idle', by });
    expect(fold.state.tasks.get(task_id)?.status).toBe('PAUSED');
    fold.commit({ type: 'project_resumed', project_id, by });
    expect(fold.state.tasks.get(task_id)).toMatchObject({ status: 'RUNNING', paused_at: null });
    const heard = [...fold.state.task_logs.values()].slice(-2);
    expect(heard).toMatchObject([{ event: 'task:paused' }, { event: 'task:started', text: 'resumed' }]);
    fold.commit({ type: 'task_paused', task_id, reason: 'later', by, approval: null, message: null });
    fold.commit({ type: 'project_suspended', project_id, reason: 'idle', by });
    fold.commit({ type: 'project_resumed', project_id, by });
    expect(fold.state.tasks.get(task_id)?.status).toBe('PAUSED');
    expect(() => fold.commit({ type: 'project_completed', project_id, reason: '', by })).toThrow(
      refused(/has a task that is not over/),
    );
  });

  it('is removed with its steps and its log, once it is over', () => {
    const fold = running();
    expect(() => fold.commit({ type: 'task_removed', task_id, by })).toThrow(refused(/RUNNING/));
    fold.commit({ type: 'task_cancelled', task_id, reason: 'no use', by });
    fold.commit({ type: 'task_removed', task_id, by });
    expect([fold.state.tasks.size, fold.state.task_steps.size, fold.state.task_logs.size]).toEqual([0, 0, 0]);
  });
});

it('a checkpoint is summed up once', () => {
  const fold = running();
  fold.commit(stepped({ started: [stepBegun(1)] }));
  fold.commit(stepped({ ended: [completedStep(1)] }));
  const summed = {
    type: 'task_checkpointed',
    task_id,
    step_id: 1,
    summary: 'Three.',
    session: null,
    message: null,
  } as const;
  fold.commit(summed);
  expect(fold.state.tasks.get(task_id)?.last_checkpoint_summary).toBe('Three.');
  expect(() => fold.commit(summed)).toThrow(refused(/no checkpoint that is due/));
});

it('a schedule makes one task for a time, and keeps its newest ones', () => {
  const fold = created();
  const schedule = { id: 1, project_id, name: 'weekly', cron: '0 9 * * 1', time_zone: 'UTC', enabled: true, keep: 1 };
  fold.commit({ type: 'schedule_set', schedule: { ...schedule, definition: taskSchema.parse({ name: 'Notes' }) }, by });
  const due = (n: number) => ({ id: 1, due_at: `2026-11-0${n}T09:00:00.000Z` });
  for (const n of [1, 2, 3]) {
    const id = `due-${n}`;
    fold.commit(creation([], { schedule: due(n) }, id));
    fold.commit({ type: 'task_cancelled', task_id: id, reason: '', by });
  }
  expect(() => fold.commit(creation([], { schedule: due(3) }, 'again'))).toThrow(refused(/already/));
  fold.commit(creation([], { schedule: due(4) }, 'due-4'));
  const ids = [...fold.state.tasks.values()].filter((row) => row.schedule_id === 1).map((row) => row.id);
  expect(ids).toEqual(['due-3', 'due-4']);
  expect(fold.state.schedules.get(1)?.last_due).toBe(due(4).due_at);
});

it('a schedule that is switched on again, or has other times, has missed nothing; another definition changes nothing of that', () => {
  const fold = created();
  const definition = taskSchema.parse({ name: 'Notes' });
  const plain = { id: 1, project_id, name: 'weekly', time_zone: 'UTC', keep: 1, definition };
  const sinceOf = (cron: string, enabled: boolean) => {
    fold.commit({ type: 'schedule_set', schedule: { ...plain, cron, enabled }, by });
    return fold.state.schedules.get(1)?.since ?? '';
  };
  const made = sinceOf('0 9 * * 1', true);
  expect(sinceOf('0 9 * * 1', true)).toBe(made);
  expect(sinceOf('0 9 * * 1', false)).toBe(made);
  const again = sinceOf('0 9 * * 1', true);
  expect(again > made).toBe(true);
  expect(sinceOf('0 * * * *', true) > again).toBe(true);
});
