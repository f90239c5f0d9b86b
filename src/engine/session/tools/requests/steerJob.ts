import { z } from 'zod';
import { JOB_STEERS } from '../../../../shared/job/jobTool.ts';
import { endsTurn } from '../endsTurn.ts';
import { projectOf } from '../projectOf.ts';
import { defineTool } from '../tool.ts';
import { acceptedText } from '../toolResult.ts';

export const steerJob = defineTool({
  name: 'steer_job',
  description:
    'Cancel, pause, resume or amend a job of this project. Only a pause of your own can be resumed. amend adds `reason` to the brief and files the job again, as long as its plan was not accepted; its planner is given the earlier plan.',
  input: z.object({
    job_id: z.string().min(1).max(64),
    action: z.enum(JOB_STEERS),
    reason: z.string().trim().min(1).max(2_000),
    ends_turn: endsTurn,
  }),
  live: ({ action, job_id }) => `${action} job ${job_id}`,
  run: async ({ job_id, action, reason }, context) =>
    acceptedText(await projectOf(context).steerJob(job_id, action, reason)),
});
