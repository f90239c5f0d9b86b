/** The tool `write`: writes a whole file. */
import { z } from 'zod';
import { withLf, withLineEndsOf } from '../../../../core/text/lineEnds.ts';
import { findFailure } from '../../../../shared/errors.ts';
import { hiddenNames } from '../confine.ts';
import { defineTool, type ToolContext } from '../tool.ts';

/** A larger file is written as given. */
const MAX_BYTES = 16 * 1024 * 1024;

export const write = defineTool({
  name: 'write',
  description: 'Create a text file or replace its whole text. Folders are made.',
  input: z.object({ file_path: z.string(), content: z.string() }),
  writes: true,
  live: ({ file_path }) => `write ${file_path}`,
  async run({ file_path, content }, context) {
    const { text, note } = await asBefore(context, file_path, content);
    await context.files.write(file_path, text);
    const size = new TextEncoder().encode(text).length;
    return `wrote ${size} bytes to ${file_path}${note}`;
  },
});

/**
 * A model writes LF: a file that had CRLF would differ in every line. A text that differs in nothing else converts the
 * file. A script of a Unix shell does not start with CRLF.
 */
async function asBefore(
  { files, project }: ToolContext,
  path: string,
  content: string,
): Promise<{ readonly text: string; readonly note: string }> {
  const given = { text: content, note: '' };
  if (!content.includes('\n')) return given;
  const before = await textAt();
  if (before !== content && withLf(before) === withLf(content)) {
    return { text: content, note: '; only its line ends changed: they are as given' };
  }
  if (content.includes('\r\n') || content.startsWith('#!') || /\.(?:ba|z)?sh$/i.test(path)) return given;
  const text = withLineEndsOf(before, content);
  if (text === content) return given;
  const which = /(?<!\r)\n/.test(text) ? 'some of its lines' : 'its lines';
  return { text, note: `; ${which} end in CRLF, as before` };

  async function textAt(): Promise<string> {
    try {
      return await files.read(path, { maxBytes: MAX_BYTES, lines: null, hidden: hiddenNames(project) });
    } catch (thrown) {
      // A new file, or one whose text the model may not see.
      if (findFailure(thrown) === undefined) throw thrown;
      return '';
    }
  }
}
