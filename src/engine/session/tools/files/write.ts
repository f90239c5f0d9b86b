/** The tool `write`: writes a whole file. */
import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const write = defineTool({
  name: 'write',
  description: 'Create a text file or replace its whole text. Folders are made.',
  input: z.object({ file_path: z.string(), content: z.string() }),
  writes: true,
  live: ({ file_path }) => `write ${file_path}`,
  async run({ file_path, content }, { files }) {
    await files.write(file_path, content);
    return `wrote ${new TextEncoder().encode(content).length} bytes to ${file_path}`;
  },
});
