/** The tool `write`: writes a whole file. */
import { z } from 'zod';
import { isMostlyCrlf } from '../../../../core/text/lineEnds.ts';
import { findFailure } from '../../../../shared/errors.ts';
import { hiddenNames } from '../confine.ts';
import { defineTool, type ToolContext } from '../tool.ts';

/** Lines of a file that show which line ends it has. */
const SAMPLE = { maxBytes: 1024 * 1024, lines: [1, 2_000] as const };

export const write = defineTool({
  name: 'write',
  description: 'Create a text file or replace its whole text. Folders are made.',
  input: z.object({ file_path: z.string(), content: z.string() }),
  writes: true,
  live: ({ file_path }) => `write ${file_path}`,
  async run({ file_path, content }, context) {
    const crlf = await keepsCrlf(context, file_path, content);
    const text = crlf ? content.replaceAll('\n', '\r\n') : content;
    await context.files.write(file_path, text);
    const size = new TextEncoder().encode(text).length;
    return `wrote ${size} bytes to ${file_path}${crlf ? '; its lines end in CRLF, as before' : ''}`;
  },
});

/** A model writes LF: a file that had CRLF would differ in every line. A script of a Unix shell does not start with CRLF. */
async function keepsCrlf({ files, project }: ToolContext, path: string, content: string): Promise<boolean> {
  if (!content.includes('\n') || content.includes('\r\n')) return false;
  if (content.startsWith('#!') || /\.(?:ba|z)?sh$/i.test(path)) return false;
  try {
    return isMostlyCrlf(await files.read(path, { ...SAMPLE, hidden: hiddenNames(project) }));
  } catch (thrown) {
    // A new file, or one whose text the model may not see.
    if (findFailure(thrown) === undefined) throw thrown;
    return false;
  }
}
