import { z } from 'zod';
import { told } from './told.ts';
import { defineTool } from './tool.ts';

const MAX_CHARACTERS = 4_000;

export const note = defineTool({
  name: 'note',
  description: 'Keep a fact for later sessions that the code does not show: a decision, a trap.',
  input: z.object({
    scope: z.enum(['feature', 'category', 'global']),
    content: z.string().trim().min(1).max(MAX_CHARACTERS),
    file: z.string().optional().describe('Path that it is about'),
    line: z.int().min(1).optional(),
  }),
  async run(input, { desk }) {
    return told(await desk.addNote(input));
  },
});
