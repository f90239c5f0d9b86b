/** Handles the requests about tasks: each is checked against the state and causes events. Runs in the owner alone. */
import { refuseGrants } from '../../../core/guard/grants.ts';
import { isOver, need, taskSteps } from '../../../core/state/rows.ts';
import { definitionOf } from '../../../core/task/script/definition.ts';
import { newSteps, newTask } from '../../../core/task/script/newTask.ts';
import { failure } from '../../../shared/errors.ts';
import { type StepDefinition, TASK_LIMITS, type TaskRow } from '../../../shared/task/tasks.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { projectOrDefault } from '../../job/requests/defaultProject.ts';
import type { EngineRequests, TaskRequestName } from '../../job/requests/ports.ts';
import { newTaskId } from '../ids.ts';
import { refuseProblems, type TaskRequestPorts } from './requestPorts.ts';
import { scheduleRequests } from './scheduleRequests.ts';
import { mayChange, mayCreate, mayLead, mayResume, needRunningProject } from './taskPermissions.ts';

type TaskRequests = Pick<EngineRequests, TaskRequestName>;

/** Checks against the state are made in the draft, because other drafts may be on their way to the disk. */
export function taskRequests(ports: TaskRequestPorts): TaskRequests {
  const { store, made, problemsOf } = ports;
  const taskOf = (id: string): TaskRow => need(store.state, 'tasks', id);
  const numbered = (steps: readonly StepDefinition[]) => newSteps(steps, store.nextIds('task_steps', steps.length));

  /**
   * Problems of all steps, including the added ones. Throws INVALID_INPUT if there are too many steps, or a started task would
   * get faulty ones.
   */
  function problemsWith(state: State, task: TaskRow, added: readonly StepDefinition[]): readonly string[] {
    const all = [...taskSteps(state, task), ...added];
    if (all.length > TASK_LIMITS.steps) {
      throw failure('INVALID_INPUT', `the task would have ${all.length} steps, and ${TASK_LIMITS.steps} is the most`);
    }
    const problems = problemsOf(all);
    if (task.status !== 'PENDING' && !isOver(task)) {
      refuseProblems(`the task is ${task.status}, so its steps must be right at once`, problems);
    }
    return problems;
  }

  return {
    createTask: async (input) => {
      const definition = await made(input);
      refuseGrants(definition.steps, input.by);
      const problems = problemsOf(definition.steps);
      if (input.start) {
        refuseProblems('the task cannot start', problems);
        await ports.ready('the task cannot start', definition, store.state.projects.get(input.project));
      }
      const { id: project_id } = await projectOrDefault(store, input.project);
      const id = newTaskId();
      const task = newTask(definition, { id, project_id, template: input.template ?? null, created_by: input.by });
      const steps = numbered(definition.steps);
      await store.commit((state) => {
        mayCreate(state, project_id, input.by);
        return { type: 'task_created', task, steps, schedule: null };
      });
      if (input.start) await store.commit({ type: 'task_started', task_id: id, by: input.by });
      return { taskId: id, stepIds: steps.map((step) => step.id), problems };
    },
    defineTask: async ({ taskId, definition, by }) => {
      const before = taskOf(taskId);
      mayChange(before, by);
      refuseGrants(definition.steps, by);
      const { id, project_id, template, created_by } = before;
      const task = newTask(definition, { id, project_id, template, created_by });
      const steps = numbered(definition.steps);
      await store.commit({ type: 'task_defined', task, steps, by });
      return { stepIds: steps.map((step) => step.id), problems: problemsOf(definition.steps) };
    },
    addTaskSteps: async ({ taskId, steps: added, by }) => {
      refuseGrants(added, by);
      const steps = numbered(added);
      let problems: readonly string[] = [];
      await store.commit((state) => {
        const task = need(state, 'tasks', taskId);
        mayChange(task, by);
        problems = problemsWith(state, task, added);
        return { type: 'task_steps_added', task_id: taskId, steps, by };
      });
      return { stepIds: steps.map((step) => step.id), problems };
    },
    startTask: async ({ taskId, by }) => {
      const asked = taskOf(taskId);
      if (asked.status === 'PENDING') {
        const { project_id, provider, model } = asked;
        const steps = taskSteps(store.state, asked);
        await ports.ready('the task cannot start', { provider, model, steps }, store.state.projects.get(project_id));
      }
      await store.commit((state) => {
        const task = need(state, 'tasks', taskId);
        mayLead(task, by);
        needRunningProject(state, task);
        if (task.status === 'PENDING') refuseProblems('the task cannot start', problemsOf(taskSteps(state, task)));
        return { type: 'task_started', task_id: taskId, by };
      });
      return null;
    },
    pauseTask: async ({ taskId, reason, by }) => {
      mayLead(taskOf(taskId), by);
      await store.commit({ type: 'task_paused', task_id: taskId, reason, by, approval: null, message: null });
      return null;
    },
    resumeTask: async ({ taskId, budgetMicroUsd, by }) => {
      const budget = budgetMicroUsd === undefined ? {} : { budget_micro_usd: budgetMicroUsd };
      await store.commit((state) => {
        const task = need(state, 'tasks', taskId);
        mayResume(state, task, by, budgetMicroUsd !== undefined);
        needRunningProject(state, task);
        return { type: 'task_resumed', task_id: taskId, by, ...budget };
      });
      return null;
    },
    cancelTask: async ({ taskId, reason, by }) => {
      mayLead(taskOf(taskId), by);
      await store.commit({ type: 'task_cancelled', task_id: taskId, reason, by });
      return null;
    },
    retryTask: async ({ taskId, by }) => {
      const task = taskOf(taskId);
      mayLead(task, by);
      needRunningProject(store.state, task);
      await store.commit({ type: 'task_retried', task_id: taskId, by });
      return null;
    },
    removeTask: async ({ taskId, by }) => {
      mayChange(taskOf(taskId), by);
      await store.commit({ type: 'task_removed', task_id: taskId, by });
      return null;
    },
    saveTaskTemplate: async ({ taskId, ...kept }) => {
      return { path: await ports.keepTemplate(definitionOf(store.state, taskOf(taskId)), kept) };
    },
    ...scheduleRequests(ports, (id) => projectOrDefault(store, id)),
  };
}
