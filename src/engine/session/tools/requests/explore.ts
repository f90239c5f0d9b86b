/** The tool `explore`: asks a question about the repository in a conversation of its own. */
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { acceptedText } from '../toolResult.ts';

const MAX_QUESTION = 4_000;

export const explore = defineTool({
  name: 'explore',
  description:
    'Ask a cheaper model that reads and searches the repository and answers in text, to keep your context small. It knows nothing but the question.',
  input: z.object({ question: z.string().trim().min(1).max(MAX_QUESTION) }),
  live: ({ question }) => `explore: ${question.split('\n', 1)[0]?.slice(0, 80) ?? ''}`,
  async run({ question }, { sessionTools, callId, msLeft }) {
    if (sessionTools.explore === undefined)
      throw new ToolError('This session cannot explore. Read the files yourself.');
    return acceptedText(await sessionTools.explore({ question, callId, msLeft: msLeft() }));
  },
});
