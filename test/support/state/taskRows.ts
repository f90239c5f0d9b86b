/** A task under way in a state made of events: what its steps are, and what became of them. */
import { newSteps, newTask } from '../../../src/core/task/script/newTask.ts';
import type { StepEnd, StepStart } from '../../../src/shared/task/taskEvents.ts';
import { type Json, type StepInput, type TaskInput, taskSchema } from '../../../src/shared/task/tasks.ts';
import type { EventDraft } from '../../../src/shared/workspace/events.ts';
import { PROJECT_ID } from './builders.ts';
import { type Fold, startFold } from './fold.ts';

const TASK_ID = 'task-1';

type Stepped = Extract<EventDraft, { readonly type: 'task_stepped' }>;

/** One event of the runner of tasks; of what is not given, nothing. */
export const taskStepped = (task_id: string, patch: Partial<Stepped>): Stepped => ({
  type: 'task_stepped',
  task_id,
  ended: [],
  skipped: [],
  started: [],
  message: null,
  ...patch,
});

/** A step that waits for nothing. */
export const stepBegun = (step_id: number, patch: Partial<StepStart> = {}): StepStart => ({
  step_id,
  wake_at: null,
  job_id: null,
  approval: null,
  ...patch,
});

export interface PlayedTask extends Fold {
  readonly taskId: string;
  readonly ids: readonly number[];
  start(): void;
  begin(...names: readonly string[]): void;
  complete(name: string, result?: Json): void;
  fail(name: string, error: string): void;
}

/** In a project of its own fold, or of one that is there already; steps have ids from 1. */
export function playedTask(
  steps: readonly StepInput[],
  fields: Partial<TaskInput> = {},
  fold: Fold = startFold(),
  taskId = TASK_ID,
): PlayedTask {
  if (!fold.state.projects.has(PROJECT_ID)) {
    fold.commit({ type: 'project_created', project: { id: PROJECT_ID, model: null, workdir: null } });
  }
  const definition = taskSchema.parse({ name: 'Market Research', ...fields, steps });
  const first = fold.state.task_steps.size + 1;
  const ids = definition.steps.map((_, index) => first + index);
  const task = newTask(definition, { id: taskId, project_id: PROJECT_ID, template: null, created_by: 'steward' });
  fold.commit({ type: 'task_created', task, steps: newSteps(definition.steps, ids), schedule: null });
  const idOf = (name: string): number => ids[definition.steps.findIndex((step) => step.name === name)] ?? 0;
  const stepped = (ended: readonly StepEnd[], started: readonly StepStart[]): void =>
    fold.commit(taskStepped(taskId, { ended, started }));
  return {
    ...fold,
    taskId,
    ids,
    start: () => fold.commit({ type: 'task_started', task_id: taskId, by: 'steward' }),
    begin: (...names) =>
      stepped(
        [],
        names.map((name) => stepBegun(idOf(name))),
      ),
    complete: (name, result = null) => {
      const bytes = JSON.stringify(result).length;
      stepped([{ step_id: idOf(name), session: null, outcome: 'completed', result, artifact: null, bytes }], []);
    },
    fail: (name, error) =>
      stepped([{ step_id: idOf(name), session: null, outcome: 'failed', error, result: null, retryAt: null }], []),
  };
}
