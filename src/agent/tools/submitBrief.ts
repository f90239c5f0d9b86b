import { z } from 'zod';
import { endsTurn } from './endsTurn.ts';
import { projectOf } from './projectOf.ts';
import { told } from './told.ts';
import { defineTool } from './tool.ts';

export const submitBrief = defineTool({
  name: 'submit_brief',
  description:
    'File a brief: planned, carried out in an isolated clone, verified, reviewed, and merged when the steward agrees. Say what must be true in the end; you are told what came of it.',
  input: z.object({ brief: z.string().trim().min(1), ends_turn: endsTurn }),
  run: async ({ brief }, context) => told(await projectOf(context).submitBrief(brief)),
});
