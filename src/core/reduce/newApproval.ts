/** The row of a new question. */
import type { ApprovalRow, NewApproval } from '../../shared/approvals.ts';
import { DEFAULT_PROJECT } from '../../shared/projects.ts';
import type { State } from '../../shared/state.ts';

export function newApproval(state: State, asked: NewApproval, at: string): ApprovalRow {
  const job = asked.job_id === null ? undefined : state.jobs.get(asked.job_id);
  return {
    ...asked,
    project_id: job?.project_id ?? asked.project_id ?? DEFAULT_PROJECT,
    task_id: asked.task_id ?? null,
    status: 'pending',
    choice: null,
    feedback: null,
    decided_by: null,
    requested_at: at,
    decided_at: null,
  };
}
