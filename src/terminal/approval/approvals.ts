/** `approvals`: the questions that wait. */
import { openQuestions } from '../../core/approval/sameCause.ts';
import { jobAsked } from '../../core/approval/stewardship.ts';
import { type Context, print, readState } from '../screen/context.ts';
import { aboutText, approvalText, howToAnswer } from './approvalText.ts';

export async function approvalsVerb(context: Context): Promise<number> {
  const state = await readState(context);
  const questions = openQuestions(state);
  const blocks = questions.map(({ row, others }) =>
    [
      approvalText(context, row, jobAsked(state, row), state, { isWhole: true }),
      ...[row, ...others].map((one) => `  ${aboutText(state, one)}`),
      ...(others.length === 0 ? [] : [`  One answer settles all ${others.length + 1}.`]),
      howToAnswer(context, row, state),
    ].join('\n'),
  );
  const approvals = questions.map(({ row, others }) => (others.length === 0 ? row : { ...row, also: others }));
  print(context, { approvals }, blocks.length === 0 ? 'No open questions.' : blocks.join('\n\n'));
  return 0;
}
