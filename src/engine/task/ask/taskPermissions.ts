/** Decides who may do what with a task. An agent never speaks for the person. */

import { pendingApprovals } from '../../../core/approval/stewardship.ts';
import { isOver, projectJobs } from '../../../core/state/rows.ts';
import { failure } from '../../../shared/errors.ts';
import type { TaskOrigin, TaskRow } from '../../../shared/task/tasks.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { isJobOver } from '../lead/briefSteps.ts';

/** Tasks of a project that are not over; and of these, such as agents made. */
const MOST_OPEN = 1_000;
const MOST_OF_AGENTS = 20;

/** Maximum number of open jobs of a project before tasks of agents start no more jobs. */
const MOST_JOBS = 10;

const isAgents = (by: TaskOrigin): boolean => by === 'main' || by === 'agent';

/** Throws NOT_PERMITTED. */
export function mayFile(state: State, task: TaskRow): void {
  if (!isAgents(task.created_by)) return;
  const open = projectJobs(state, task.project_id).filter((job) => !isJobOver(job)).length;
  if (open < MOST_JOBS) return;
  throw failure('NOT_PERMITTED', `${open} jobs of this project have not ended: a task of an agent starts no more`);
}

/** Throws NOT_PERMITTED. */
export function mayCreate(state: State, projectId: string, by: TaskOrigin): void {
  const open = [...state.tasks.values()].filter((task) => task.project_id === projectId && !isOver(task));
  refuseMore(open.length, MOST_OPEN, 'tasks of this project');
  if (isAgents(by)) {
    refuseMore(open.filter((task) => isAgents(task.created_by)).length, MOST_OF_AGENTS, 'tasks that agents made here');
  }
}

function refuseMore(count: number, most: number, what: string): void {
  if (count < most) return;
  throw failure('NOT_PERMITTED', `${count} ${what} are not over: no more are made until one is`, {
    hint: 'Cancel or remove some.',
  });
}

/** Checks who may change or remove a task: an agent only a task of an agent. Throws NOT_PERMITTED. */
export function mayChange(task: TaskRow, by: TaskOrigin): void {
  if (!isAgents(by) || isAgents(task.created_by)) return;
  throw failure('NOT_PERMITTED', `task ${task.id} is the steward's: an agent does not change it`, {
    hint: 'Create another task, or ask the steward.',
  });
}

/**
 * Checks who may pause or resume a task. The main agent may do so with any task, on behalf of the person who speaks with it; a
 * project's conversation only with tasks of agents. Throws NOT_PERMITTED.
 */
export function mayLead(task: TaskRow, by: TaskOrigin): void {
  if (by !== 'main') mayChange(task, by);
}

/** An open question to the steward cannot be bypassed. Throws NOT_PERMITTED. */
export function mayResume(state: State, task: TaskRow, by: TaskOrigin, hasBudget: boolean): void {
  mayLead(task, by);
  if (!isAgents(by)) return;
  if (hasBudget) throw failure('NOT_PERMITTED', 'an agent gives no budget', { hint: 'Ask the steward.' });
  const asked = pendingApprovals(state).find(({ task_id }) => task_id === task.id);
  if (asked === undefined) return;
  throw failure('NOT_PERMITTED', `task ${task.id} waits for the steward: ${asked.question}`);
}

/** Throws NOT_PERMITTED if the task's project is not running. */
export function needRunningProject(state: State, task: TaskRow): void {
  const status = state.projects.get(task.project_id)?.status;
  if (status === 'active') return;
  throw failure('NOT_PERMITTED', `project ${task.project_id} is ${status ?? 'gone'}: none of its work runs`, {
    hint: status === 'suspended' ? `Resume it first: autonomous project resume ${task.project_id}` : '',
  });
}
