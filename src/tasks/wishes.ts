/** The wishes about tasks: each is checked against the state and comes to events. Runs in the owner alone. */
import { randomBytes } from 'node:crypto';
import { need } from '../core/rows.ts';
import { newSteps, newTask } from '../core/tasks/newTask.ts';
import type { Store } from '../engine/store.ts';
import type { TaskWishName, Wishes } from '../engine/wishes/ports.ts';
import { failure } from '../shared/errors.ts';
import type { StepDefinition, TaskDefinition } from '../shared/tasks.ts';

export interface TaskWishPorts {
  readonly store: Store;
  /** The definition that was given, or the template's with its parameters filled in. Throws INVALID_INPUT or NOT_FOUND. */
  made(input: Made): Promise<TaskDefinition>;
  /** What a start of these steps would refuse, one sentence each. */
  problemsOf(steps: readonly StepDefinition[]): readonly string[];
}

type TaskWishes = Pick<Wishes, TaskWishName>;
type Made = Pick<Parameters<TaskWishes['createTask']>[0], 'definition' | 'template' | 'parameters'>;

const notYet = async (): Promise<never> => {
  throw failure('NOT_PERMITTED', 'this cannot be done yet');
};

export function taskWishes({ store, made, problemsOf }: TaskWishPorts): TaskWishes {
  const numbered = (steps: readonly StepDefinition[]) => newSteps(steps, store.nextIds('task_steps', steps.length));

  return {
    createTask: async (input) => {
      const { id: project_id } = need(store.state, 'projects', input.project);
      const definition = await made(input);
      const id = `task-${randomBytes(4).toString('hex')}`;
      const task = newTask(definition, { id, project_id, template: input.template ?? null, created_by: input.by });
      const steps = numbered(definition.steps);
      await store.commit({ type: 'task_created', task, steps, schedule: null });
      if (input.start) await store.commit({ type: 'task_started', task_id: id, by: input.by });
      return { taskId: id, stepIds: steps.map((step) => step.id), problems: problemsOf(definition.steps) };
    },
    defineTask: async ({ taskId, definition, by }) => {
      const { id, project_id, template, created_by } = need(store.state, 'tasks', taskId);
      const task = newTask(definition, { id, project_id, template, created_by });
      const steps = numbered(definition.steps);
      await store.commit({ type: 'task_defined', task, steps, by });
      return { stepIds: steps.map((step) => step.id), problems: problemsOf(definition.steps) };
    },
    addTaskSteps: async (input) => {
      const steps = numbered(input.steps);
      await store.commit({ type: 'task_steps_added', task_id: input.taskId, steps, by: input.by });
      return { stepIds: steps.map((step) => step.id), problems: [] };
    },
    startTask: async ({ taskId, by }) => {
      await store.commit({ type: 'task_started', task_id: taskId, by });
      return null;
    },
    pauseTask: async ({ taskId, reason, by }) => {
      await store.commit({ type: 'task_paused', task_id: taskId, reason, by, approval: null, message: null });
      return null;
    },
    resumeTask: async ({ taskId, budgetMicroUsd, by }) => {
      const budget = budgetMicroUsd === undefined ? {} : { budget_micro_usd: budgetMicroUsd };
      await store.commit({ type: 'task_resumed', task_id: taskId, by, ...budget });
      return null;
    },
    cancelTask: async ({ taskId, reason, by }) => {
      await store.commit({ type: 'task_cancelled', task_id: taskId, reason, by });
      return null;
    },
    retryTask: async ({ taskId, by }) => {
      await store.commit({ type: 'task_retried', task_id: taskId, by });
      return null;
    },
    removeTask: async ({ taskId, by }) => {
      await store.commit({ type: 'task_removed', task_id: taskId, by });
      return null;
    },
    saveTaskTemplate: notYet,
    setSchedule: notYet,
    removeSchedule: async ({ id }) => {
      await store.commit({ type: 'schedule_removed', id, by: 'steward' });
      return null;
    },
  };
}
