import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { z } from 'zod';
import { hiddenNames } from './confine.ts';
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
  async run({ file_path, old_string, new_string, replace_all = false }, { files, project }) {
    if (old_string === '') throw new ToolError('edit: old_string is required');
    const text = await files.read(file_path, { maxBytes: MAX_BYTES, lines: null, hidden: hiddenNames(project) });
    const parts = text.split(old_string);
    const count = parts.length - 1;
    if (count === 0) throw new ToolError(`edit: old_string not found in ${file_path}`);
    if (count > 1 && !replace_all) {
      throw new ToolError(`edit: old_string appears ${count} times in ${file_path} (must be unique)`);
    }
    await files.write(file_path, parts.join(new_string));
    return `edited ${file_path} (${count} replacement(s))`;
  },
});
