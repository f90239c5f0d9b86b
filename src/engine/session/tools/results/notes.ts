/** The tool `notes`: lists the notes that apply to the session. */
import { z } from 'zod';
import { headOnly } from '../../text.ts';
import { defineTool } from '../tool.ts';

const MAX_CHARACTERS = 16_000;

export const notes = defineTool({
  name: 'notes',
  description: 'List the notes for your feature, its category and all.',
  input: z.object({}),
  async run(_input, { sessionTools }) {
    const text = await sessionTools.notes();
    return text.trim() === '' ? 'No notes.' : headOnly(text, MAX_CHARACTERS);
  },
});
