import { z } from 'zod';
import { endsTurn } from '../endsTurn.ts';
import { projectOf } from '../projectOf.ts';
import { defineTool } from '../tool.ts';
import { acceptedText } from '../toolResult.ts';

export const submitBrief = defineTool({
  name: 'submit_brief',
  description:
    'File a brief: planned, carried out in an isolated clone, verified, reviewed, and merged when the steward agrees. Say what must be true in the end; you are told what came of it.',
  input: z.object({
    brief: z.string().trim().min(1),
    at_most_usd: z.number().positive().optional().describe('Budget of the job, if less than the usual one is enough'),
    model: z.string().min(1).max(200).optional().describe('Model of its sessions; left out: as the project has it'),
    ends_turn: endsTurn,
  }),
  run: async ({ brief, at_most_usd: atMostUsd, model }, context) =>
    acceptedText(await projectOf(context).submitBrief({ brief, atMostUsd, model })),
});
