/** The tool `report`: the worker's answer to its assignment. */
import { reportSchema } from '../../../../shared/job/plan.ts';
import { answerTool } from './answerTool.ts';

export const report = answerTool(
  'report',
  'End your work on the feature. Call it alone, once, at the end.',
  reportSchema,
);
