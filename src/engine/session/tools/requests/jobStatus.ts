import { z } from 'zod';
import { projectOf } from '../projectOf.ts';
import { defineTool } from '../tool.ts';
import { acceptedText } from '../toolResult.ts';

export const jobStatus = defineTool({
  name: 'job_status',
  description:
    'A job of this project in full: plan, features with reports, rejections, limits, cost; without an id a list of all jobs.',
  input: z.object({ job_id: z.string().max(64).optional() }),
  run: async ({ job_id }, context) => acceptedText(await projectOf(context).jobStatus(job_id ?? null)),
});
