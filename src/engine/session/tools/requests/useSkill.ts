import { z } from 'zod';
import { projectOf } from '../projectOf.ts';
import { defineTool } from '../tool.ts';
import { acceptedText } from '../toolResult.ts';

export const useSkill = defineTool({
  name: 'use_skill',
  description:
    'Load a skill that is listed above before you do what it is for; with file, one of the files that it names.',
  input: z.object({
    name: z.string().max(64),
    file: z.string().max(500).optional().describe('Path inside the folder of the skill'),
  }),
  live: ({ name, file }) => `use_skill ${name}${file === undefined ? '' : ` ${file}`}`,
  run: async ({ name, file }, context) => acceptedText(await projectOf(context).useSkill(name, file ?? null)),
});
