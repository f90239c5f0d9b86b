import { planSchema } from '../../shared/plan.ts';
import { answerTool } from './answerTool.ts';

export const submitPlan = answerTool(
  'submit_plan',
  'Hand in the whole plan. Call it alone, once, at the end.',
  planSchema,
);
