/** Defines the tools by which a planner and a reviewer submit their results. */
import { verdictSchema } from '../../../../shared/job/plan.ts';
import { submittedPlanSchema } from '../../../../shared/job/planCorrection.ts';
import { answerTool } from './answerTool.ts';

export const submitPlan = answerTool(
  'submit_plan',
  'Hand in the whole plan, or corrections of a plan that was not accepted. Call it alone, at the end.',
  submittedPlanSchema,
);

export const submitVerdict = answerTool(
  'submit_verdict',
  'Hand in your verdict. Call it alone, once, at the end.',
  verdictSchema,
);
