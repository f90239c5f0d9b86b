import { betaEditTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { z } from 'zod';
import { asText, refuseGitPath } from './confine.ts';
import { defineTool } from './tool.ts';

const MAX_BYTES = 1024 * 1024;

export const edit = defineTool({
  name: 'edit',
  description: 'Replace old_string, which must occur exactly once unless replace_all, with new_string.',
  input: z.object({
    file_path: z.string(),
    old_string: z.string(),
    new_string: z.string(),
    replace_all: z.boolean().optional(),
  }),
  writes: true,
  live: ({ file_path }) => `edit ${file_path}`,
  async run(input, { workdir }) {
    await refuseGitPath(workdir, input.file_path);
    return asText(await betaEditTool({ workdir, maxFileBytes: MAX_BYTES }).run(input));
  },
});
