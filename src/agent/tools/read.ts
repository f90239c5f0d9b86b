import { z } from 'zod';
import { hiddenNames } from './confine.ts';
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
  async run({ file_path, view_range }, { files, project }) {
    const bounds = { maxBytes: MAX_BYTES, lines: range(view_range), hidden: hiddenNames(project) };
    const text = await files.read(file_path, bounds);
    return text === '' ? '(empty)' : text;
  },
});

/** A last line below 1 means the end. */
function range(asked: readonly number[] | undefined): readonly [number, number] | null {
  const [first = 1, last = 0] = asked ?? [];
  return asked === undefined ? null : [Math.max(1, first), last < 1 ? Number.POSITIVE_INFINITY : last];
}
