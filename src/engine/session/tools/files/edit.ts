/** The tool `edit`: replaces texts in a file, all or none. */
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { z } from 'zod';
import { applyEdits, type TextEdit } from '../../../../core/text/textEdits.ts';
import { hiddenNames } from '../confine.ts';
import { defineTool } from '../tool.ts';
import { aroundEdits, faultWords } from './editWords.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_EDITS = 100;

const oneEdit = z.object({
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
});

const input = z.preprocess(listed, z.object({ file_path: z.string(), edits: z.array(oneEdit).min(1).max(MAX_EDITS) }));

export const edit = defineTool({
  name: 'edit',
  description:
    'Replace text in a file. Each old_string must occur exactly once, unless replace_all. All edits apply, in order, or none.',
  input,
  writes: true,
  live: ({ file_path }) => `edit ${file_path}`,
  async run({ file_path, edits }, { files, project }) {
    const stored = await files.read(file_path, { maxBytes: MAX_BYTES, lines: null, hidden: hiddenNames(project) });
    // A model writes LF. Lines that all end in CRLF are edited as LF and stay CRLF.
    const crlf = /\r\n/.test(stored) && !/(?<!\r)\n/.test(stored);
    const text = crlf ? stored.replaceAll('\r\n', '\n') : stored;
    const outcome = applyEdits(
      text,
      edits.map((one) => asTextEdit(one, crlf)),
    );
    if (!outcome.ok) {
      const which = edits.length === 1 ? '' : `edit ${outcome.at + 1} of ${edits.length}: `;
      const none = edits.length === 1 ? '' : '\nNo edit was applied.';
      throw new ToolError(`edit: ${file_path}: ${which}${faultWords(text, outcome.fault)}${none}`);
    }
    await files.write(file_path, crlf ? outcome.text.replaceAll('\n', '\r\n') : outcome.text);
    const count = `${outcome.replacements} ${outcome.replacements === 1 ? 'replacement' : 'replacements'}`;
    return `edited ${file_path}: ${count}\n${aroundEdits(outcome.text, outcome.parts)}`.trimEnd();
  },
});

/** Models also give a single edit without a list, as other agents' tools take it. */
function listed(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || 'edits' in given || !('old_string' in given)) return given;
  const { file_path, ...one } = given as Record<string, unknown>;
  return { file_path, edits: [one] };
}

function asTextEdit(
  { old_string, new_string, replace_all = false }: z.output<typeof oneEdit>,
  crlf: boolean,
): TextEdit {
  const lf = (text: string): string => (crlf ? text.replaceAll('\r\n', '\n') : text);
  return { old_string: lf(old_string), new_string: lf(new_string), replace_all };
}
