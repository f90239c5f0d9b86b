/** `approvals`: the questions that wait. */
import { jobAsked, pendingApprovals } from '../../core/stewardship.ts';
import type { ApprovalRow } from '../../shared/domain.ts';
import { approvalText, howToAnswer } from '../approvalText.ts';
import { type Context, print, readState } from '../context.ts';

/** Where it belongs. */
const about = ({ job_id, project_id }: ApprovalRow): string =>
  job_id === null ? `Project:  ${project_id}` : `Job:      ${job_id}`;

export async function approvalsVerb(context: Context): Promise<number> {
  const state = await readState(context);
  const approvals = pendingApprovals(state);
  const blocks = approvals.map(
    (row) => `${approvalText(context, row, jobAsked(state, row))}\n  ${about(row)}\n${howToAnswer(context, row)}`,
  );
  print(context, { approvals }, blocks.length === 0 ? 'Nothing waits for you.' : blocks.join('\n\n'));
  return 0;
}
