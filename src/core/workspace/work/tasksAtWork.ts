/**
 * Decides whether a task has work when its workspace is opened: one that runs or waits for a time, one of a schedule, or one that waits for an action
 * which another extension may register in this window.
 */

import { missingAction } from '../../../shared/task/taskWork.ts';
import type { State } from '../../../shared/workspace/state.ts';

export function hasTaskAtWork(state: State): boolean {
  return (
    [...state.tasks.values()].some(({ status }) => status === 'RUNNING') ||
    [...state.schedules.values()].some((row) => row.enabled) ||
    waitsForAnAction(state)
  );
}

const waitsForAnAction = ({ tasks, task_steps }: State): boolean =>
  [...task_steps.values()].some(({ task_id, action }) => {
    const task = tasks.get(task_id);
    return task?.status === 'PAUSED' && task.reason === missingAction(action);
  });
