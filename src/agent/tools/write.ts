import { betaWriteTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { z } from 'zod';
import { asText, refuseGitPath } from './confine.ts';
import { defineTool } from './tool.ts';

export const write = defineTool({
  name: 'write',
  description: 'Create a text file or replace all of it. Folders are made.',
  input: z.object({ file_path: z.string(), content: z.string() }),
  writes: true,
  live: ({ file_path }) => `write ${file_path}`,
  async run(input, { workdir }) {
    await refuseGitPath(workdir, input.file_path);
    return asText(await betaWriteTool({ workdir }).run(input));
  },
});
