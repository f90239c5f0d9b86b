/** What a task was paused with: a limit or a key that only the steward can change. */
import type { ApprovalRow } from '../../shared/approval.ts';
import type { TaskRow } from '../../shared/task/tasks.ts';
import type { State } from '../../shared/workspace/state.ts';

/** The question stands in the line that paused it: after a pause by hand there is none, whatever was asked before. */
export function pauseQuestion(state: State, task: TaskRow): ApprovalRow | undefined {
  if (task.status !== 'PAUSED') return undefined;
  const asked = [...state.approvals.values()].findLast(
    (row) => row.task_id === task.id && (row.kind === 'limit' || row.kind === 'provider'),
  );
  return asked?.requested_at === task.paused_at ? asked : undefined;
}

/** Answered with yes, or settled otherwise: its owner lets the task go on. */
export function isPauseSettled(state: State, task: TaskRow): boolean {
  const asked = pauseQuestion(state, task);
  return asked !== undefined && asked.status !== 'pending' && asked.status !== 'rejected';
}
