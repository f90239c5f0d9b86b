/** Builds the details of the selected task. */

import { type PanelTaskDetails, type PanelTaskLine, SHOWN_LINES } from '../../../shared/task/taskPanel.ts';
import type { TaskLogRow } from '../../../shared/task/tasks.ts';
import type { AtWork } from '../../../shared/workspace/atWork.ts';
import type { PanelLook } from '../../../shared/workspace/panel.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { taskSteps } from '../../state/rows.ts';
import type { TaskFacts } from './taskFacts.ts';
import { stepMaker, stepTexts } from './taskPanelSteps.ts';

function linesOf(state: State, taskId: string, made: WeakMap<TaskLogRow, PanelTaskLine>): PanelTaskLine[] {
  const rows: TaskLogRow[] = [];
  for (const row of state.task_logs.values()) {
    // The page shows the progress above the log; one line for each step would make up half of the log.
    if (row.task_id === taskId && !(row.event === 'task:progress' && row.step_id !== null)) rows.push(row);
  }
  return rows.slice(-SHOWN_LINES).map((row) => {
    const before = made.get(row);
    if (before !== undefined) return before;
    const { id, at, level, event, step_id, text } = row;
    const step = step_id === null ? null : (state.task_steps.get(step_id)?.number ?? null);
    const line = { id, at, level, event, step, text };
    made.set(row, line);
    return line;
  });
}

/** The page's selection, and the work that the owner is running. */
export interface TaskFrame {
  readonly look: PanelLook;
  readonly atWork: AtWork;
}

/** Unchanged parts stay the same objects. */
export function detailsMaker(): (state: State, facts: TaskFacts, frame: TaskFrame) => PanelTaskDetails | null {
  const logLines = new WeakMap<TaskLogRow, PanelTaskLine>();
  const stepsOf = stepMaker();
  return (state, facts, { look, atWork }) => {
    const task = look.task === null ? undefined : state.tasks.get(look.task);
    if (task === undefined) return null;
    const rows = taskSteps(state, task);
    const own = rows.find((row) => row.id === look.step);
    return {
      taskId: task.id,
      description: task.description,
      objective: task.objective,
      maxParallel: task.max_parallel,
      budgetUsd: task.budget_micro_usd === null ? null : task.budget_micro_usd / 1e6,
      template: task.template,
      lastCheckpointSummary: task.last_checkpoint_summary,
      checkpointAt: task.last_checkpoint_at,
      summary: task.summary,
      steps: stepsOf(task, rows, facts, atWork),
      step: own === undefined ? null : stepTexts(own),
      log: linesOf(state, task.id, logLines),
    };
  };
}
