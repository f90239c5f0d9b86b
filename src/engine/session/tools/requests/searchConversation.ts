import { z } from 'zod';
import { projectOf } from '../projectOf.ts';
import { defineTool } from '../tool.ts';
import { acceptedText } from '../toolResult.ts';

export const searchConversation = defineTool({
  name: 'search_conversation',
  description:
    'Search what was said to you and by you, also what your context no longer holds: messages that hold all words of the query, newest first.',
  input: z.object({ query: z.string().trim().min(1).max(400) }),
  run: async ({ query }, context) => acceptedText(await projectOf(context).recall(query)),
});
