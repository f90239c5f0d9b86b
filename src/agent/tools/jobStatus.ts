import { z } from 'zod';
import { projectOf } from './projectOf.ts';
import { told } from './told.ts';
import { defineTool } from './tool.ts';

export const jobStatus = defineTool({
  name: 'job_status',
  description: 'How a job of this project stands; without an id all of them.',
  input: z.object({ job_id: z.string().max(64).optional() }),
  run: async ({ job_id }, context) => told(await projectOf(context).jobStatus(job_id ?? null)),
});
