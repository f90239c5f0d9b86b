import { submittedPlanSchema } from '../../../../shared/job/planCorrection.ts';
import { answerTool } from './answerTool.ts';

export const submitPlan = answerTool(
  'submit_plan',
  'Hand in the whole plan, or corrections of a plan that was not accepted. Call it alone, at the end.',
  submittedPlanSchema,
);
