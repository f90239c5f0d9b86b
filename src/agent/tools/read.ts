import { betaReadTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { z } from 'zod';
import { asText, refuseHiddenPath } from './confine.ts';
import { defineTool } from './tool.ts';

const MAX_BYTES = 64 * 1024;

export const read = defineTool({
  name: 'read',
  description: 'Read a text file. Larger than 64 kB: give view_range.',
  input: z.object({
    file_path: z.string(),
    view_range: z.array(z.int()).length(2).optional().describe('[first, last] line, from 1'),
  }),
  live: ({ file_path }) => `read ${file_path}`,
  async run(input, context) {
    const { workdir } = context;
    await refuseHiddenPath(context, input.file_path);
    const text = asText(await betaReadTool({ workdir, maxFileBytes: MAX_BYTES }).run(input));
    return text === '' ? '(empty)' : text;
  },
});
