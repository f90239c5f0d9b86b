/** The tool `edit`: replaces texts in a file, all or none. */
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { z } from 'zod';
import { withLf } from '../../../../core/text/lineEnds.ts';
import { applyEdits } from '../../../../core/text/textEdits.ts';
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
    const text = await files.read(file_path, { maxBytes: MAX_BYTES, lines: null, hidden: hiddenNames(project) });
    const outcome = applyEdits(
      text,
      edits.map(({ replace_all = false, ...one }) => ({ ...one, replace_all })),
    );
    if (!outcome.ok) {
      const which = edits.length === 1 ? '' : `edit ${outcome.at + 1} of ${edits.length}: `;
      const none = edits.length === 1 ? '' : '\nNo edit was applied.';
      throw new ToolError(`edit: ${file_path}: ${which}${faultWords(withLf(text), outcome.fault)}${none}`);
    }
    await files.write(file_path, outcome.text);
    const count = `${outcome.replacements} ${outcome.replacements === 1 ? 'replacement' : 'replacements'}`;
    return `edited ${file_path}: ${count}\n${aroundEdits(outcome.shown, outcome.parts)}`.trimEnd();
  },
});

/** Models also give a single edit without a list, as other agents' tools take it. */
function listed(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || 'edits' in given || !('old_string' in given)) return given;
  const { file_path, ...one } = given as Record<string, unknown>;
  return { file_path, edits: [one] };
}
