/**
 * The language model tools that package.json declares: what `shared/workspace/mainTools.ts` lists for everyone. Not loaded by the
 * extension: `npm run contributions` writes them.
 */
import { z } from 'zod';
import { MAIN_TOOL_NAMES, MAIN_TOOLS } from '../../shared/workspace/mainTools.ts';
import { TOOL_PREFIX } from './toolNames.ts';

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Excludes the main agent's own tools: they would be refused. */
export function languageModelTools(): readonly object[] {
  return MAIN_TOOL_NAMES.filter((name) => !('mainOnly' in MAIN_TOOLS[name])).map((name) => {
    const { title, description, input } = MAIN_TOOLS[name];
    const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
    return {
      name: `${TOOL_PREFIX}${name}`,
      displayName: title,
      modelDescription: description,
      toolReferenceName: camel(`${TOOL_PREFIX}${name}`),
      canBeReferencedInPrompt: true,
      icon: '$(project)',
      tags: ['autonomous'],
      when: 'autonomous.folder',
      inputSchema,
    };
  });
}
