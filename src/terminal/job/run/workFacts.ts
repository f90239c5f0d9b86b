/** The lines of a run's summary about its features, attempts and commands. */
import { openTodo, todoText } from '../../../core/job/history/todo.ts';
import type { JobSummary } from '../../../core/job/view/job.ts';
import { jobApprovals, jobFeatures, openAttempt } from '../../../core/state/rows.ts';
import type { ApprovalRow } from '../../../shared/approval.ts';
import { todoProgress } from '../../../shared/job/todo.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { plural } from '../../text/format.ts';
import { visibleLine } from '../../text/visible.ts';

export function featuresText(state: State, { id, features }: JobSummary): string {
  if (features.total === 0) return 'none yet';
  const asking = openQuestions(state, id).map(({ feature_id }) => feature_id);
  const waiting = jobFeatures(state, id).filter((row) => row.status === 'pending' && asking.includes(row.id)).length;
  const counts = { ...features, pending: features.pending - waiting };
  const parts = (['completed', 'failed', 'in_progress', 'pending'] as const)
    .filter((status) => status === 'completed' || counts[status] > 0)
    .map((status) => `${counts[status]} ${status.replace('_', ' ')}`);
  if (waiting > 0) parts.push(`${waiting} waiting for you`);
  return `${features.total}: ${parts.join(', ')}`;
}

export const openQuestions = (state: State, jobId: string): ApprovalRow[] =>
  jobApprovals(state, jobId).filter(({ status }) => status === 'pending');

/** The worker's to-do list of the current feature. */
export function todoFact(state: State, jobId: string): (readonly [string, string])[] {
  const todo = todoProgress(openTodo(openAttempt(state, jobId)));
  return todo === null ? [] : [['To do', visibleLine(todoText(todo))]];
}

export function attemptsText(state: State, job: JobSummary): string {
  const all = [...state.attempts.values()].filter((row) => row.job_id === job.id);
  const failed = all.filter((row) => row.feature_id !== null && row.status === 'failed').length;
  const reviews = all.filter((row) => row.feature_id === null);
  const rejected = reviews.filter((row) => row.verdict?.verdict === 'REJECTED').length;
  const open = openQuestions(state, job.id).length;
  const asked = all.filter((row) => row.status === 'stuck' || row.status === 'blocked').length;
  const asking = asked === 0 ? '' : `, ${asked} stuck or blocked`;
  const parts = [
    `${job.attempts} (${failed} failed${asking})`,
    `${plural(reviews.length, 'review')} (${rejected} rejected)`,
  ];
  if (open > 0) parts.push(`${plural(open, 'question')} open`);
  return parts.join(', ');
}
