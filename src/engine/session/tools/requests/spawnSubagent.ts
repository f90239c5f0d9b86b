import { z } from 'zod';
import { projectOf } from '../projectOf.ts';
import { defineTool } from '../tool.ts';
import { acceptedText } from '../toolResult.ts';

export const spawnSubagent = defineTool({
  name: 'spawn_subagent',
  description:
    'Hand a one-off question to a fresh agent that reads files and answers in text, to keep your own context free. It knows nothing but the task.',
  input: z.object({ task: z.string().trim().min(1).max(32_000) }),
  live: ({ task }) => `subagent: ${task.split('\n', 1)[0]?.slice(0, 80) ?? ''}`,
  run: async ({ task }, context) => acceptedText(await projectOf(context).spawnSubagent(task, context.callId)),
});
