import { verdictSchema } from '../../../../shared/job/plan.ts';
import { answerTool } from './answerTool.ts';

export const submitVerdict = answerTool(
  'submit_verdict',
  'Hand in your verdict. Call it alone, once, at the end.',
  verdictSchema,
);
