import { betaGlobTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { z } from 'zod';
import { headOnly } from '../text.ts';
import { asText, relativePaths, wayInTree, withoutHidden } from './confine.ts';
import { defineTool } from './tool.ts';

const MAX_CHARACTERS = 16_000;

export const glob = defineTool({
  name: 'glob',
  description: 'List files by pattern, e.g. src/**/*.ts; newest first, at most 200.',
  input: z.object({ pattern: z.string(), path: z.string().optional().describe('Folder to search') }),
  live: ({ pattern }) => `glob ${pattern}`,
  async run(input, context) {
    const { workdir } = context;
    await wayInTree(context, input.path ?? '.');
    const found = asText(await betaGlobTool({ workdir }).run(input));
    return headOnly(withoutHidden(context, await relativePaths(workdir, found)), MAX_CHARACTERS);
  },
});
