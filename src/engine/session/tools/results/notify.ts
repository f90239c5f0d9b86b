import { z } from 'zod';
import { endsTurn } from '../endsTurn.ts';
import { projectOf } from '../projectOf.ts';
import { defineTool } from '../tool.ts';
import { acceptedText } from '../toolResult.ts';

export const notify = defineTool({
  name: 'notify',
  description:
    'Send a notice to the steward and the main agent: what came out, what you need, what others must know. The result states who gets it.',
  input: z.object({
    text: z.string().trim().min(1).max(16_000),
    concerns: z.string().max(64).optional().describe('Name of another project that must know of it'),
    information: z
      .boolean()
      .optional()
      .describe('True if that project need not act on it: it reads it with its next turn'),
    ends_turn: endsTurn,
  }),
  live: ({ concerns }) => (concerns === undefined ? 'notify' : `notify, concerns ${concerns}`),
  run: async ({ text, concerns = null, information = false }, context) =>
    acceptedText(await projectOf(context).notify(text, { concerns, information })),
});
