/** `approvals`: the questions that wait. */
import { jobAsked, pendingApprovals } from '../../core/stewardship.ts';
import { aboutText, approvalText, howToAnswer } from '../approvalText.ts';
import { type Context, print, readState } from '../context.ts';

export async function approvalsVerb(context: Context): Promise<number> {
  const state = await readState(context);
  const approvals = pendingApprovals(state);
  const blocks = approvals.map(
    (row) =>
      `${approvalText(context, row, jobAsked(state, row), state)}\n  ${aboutText(state, row)}\n${howToAnswer(context, row, state)}`,
  );
  print(context, { approvals }, blocks.length === 0 ? 'Nothing waits for you.' : blocks.join('\n\n'));
  return 0;
}
