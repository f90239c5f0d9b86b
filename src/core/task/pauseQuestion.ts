/** The question with which a task was paused: about a limit or a key that only the steward can change. */
import type { ApprovalRow } from '../../shared/approval.ts';
import type { TaskRow } from '../../shared/task/tasks.ts';
import type { State } from '../../shared/workspace/state.ts';

/** The question is in the event that paused the task. After a pause by hand there is no question, even if an earlier pause had one. */
export function pauseQuestion(state: State, task: TaskRow): ApprovalRow | undefined {
  if (task.status !== 'PAUSED') return undefined;
  const asked = [...state.approvals.values()].findLast(
    (row) => row.task_id === task.id && (row.kind === 'limit' || row.kind === 'provider'),
  );
  return asked?.requested_at === task.paused_at ? asked : undefined;
}

/** Whether the question was approved, or settled otherwise: the owner resumes the task. */
export function isPauseSettled(state: State, task: TaskRow): boolean {
  const asked = pauseQuestion(state, task);
  return asked !== undefined && asked.status !== 'pending' && asked.status !== 'rejected';
}
