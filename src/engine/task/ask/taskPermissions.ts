/** Who may do what with a task. What an agent says is never the person's word. */

import { pendingApprovals } from '../../../core/approval/stewardship.ts';
import { isOver, projectJobs } from '../../../core/state/rows.ts';
import { failure } from '../../../shared/errors.ts';
import type { TaskOrigin, TaskRow } from '../../../shared/task/tasks.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { isJobOver } from '../lead/briefSteps.ts';

/** Tasks of a project that are not over; and of these, such as agents made. */
const MOST_OPEN = 1_000;
const MOST_OF_AGENTS = 20;

/** Jobs of a project that are not over, of which tasks of agents begin no more. */
const MOST_JOBS = 10;

const isAgents = (by: TaskOrigin): boolean => by === 'main' || by === 'agent';

/** Throws NOT_PERMITTED. */
export function mayFile(state: State, task: TaskRow): void {
  if (!isAgents(task.created_by)) return;
  const open = projectJobs(state, task.project_id).filter((job) => !isJobOver(job)).length;
  if (open < MOST_JOBS) return;
  throw failure('NOT_PERMITTED', `${open} jobs of this project are not over: a task of an agent begins no more`);
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

/** Changes what it does, or takes it away: an agent only with what agents made. Throws NOT_PERMITTED. */
export function mayChange(task: TaskRow, by: TaskOrigin): void {
  if (!isAgents(by) || isAgents(task.created_by)) return;
  throw failure('NOT_PERMITTED', `task ${task.id} is the steward's: an agent does not change it`, {
    hint: 'Make one of your own, or ask the steward.',
  });
}

/**
 * Holds it, or lets it go on. The main agent does so for the person who speaks with it, with any task; a project's own
 * conversation only with what agents made. Throws NOT_PERMITTED.
 */
export function mayLead(task: TaskRow, by: TaskOrigin): void {
  if (by !== 'main') mayChange(task, by);
}

/** A question that waits for the steward is not passed by. Throws NOT_PERMITTED. */
export function mayResume(state: State, task: TaskRow, by: TaskOrigin, hasBudget: boolean): void {
  mayLead(task, by);
  if (!isAgents(by)) return;
  if (hasBudget) throw failure('NOT_PERMITTED', 'an agent gives no budget', { hint: 'Ask the steward.' });
  const asked = pendingApprovals(state).find(({ task_id }) => task_id === task.id);
  if (asked === undefined) return;
  throw failure('NOT_PERMITTED', `task ${task.id} waits for the steward: ${asked.question}`);
}

/** Throws NOT_PERMITTED where nothing of its project runs. */
export function needRunningProject(state: State, task: TaskRow): void {
  const status = state.projects.get(task.project_id)?.status;
  if (status === 'active') return;
  throw failure('NOT_PERMITTED', `project ${task.project_id} is ${status ?? 'gone'}: nothing of it runs`, {
    hint: status === 'suspended' ? `Resume it first: autonomous project resume ${task.project_id}` : '',
  });
}
