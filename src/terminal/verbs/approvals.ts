/** `approvals`: the questions that wait. */
import { need } from '../../core/rows.ts';
import { approvalText, howToAnswer } from '../approvalText.ts';
import { type Context, print, readState } from '../context.ts';

export async function approvalsVerb(context: Context): Promise<number> {
  const state = await readState(context);
  const approvals = [...state.approvals.values()].filter((row) => row.status === 'pending');
  const blocks = approvals.map(
    (row) =>
      `${approvalText(context, row, need(state, 'jobs', row.job_id))}\n  Job:      ${row.job_id}\n${howToAnswer(context, row)}`,
  );
  print(context, { approvals }, blocks.length === 0 ? 'Nothing waits for you.' : blocks.join('\n\n'));
  return 0;
}
