/** The memory tool of the Messages API in its portable form: the same commands as a plain tool, which every server takes. */
import { betaMemoryTool, type MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory';
import type { BetaMemoryTool20250818Command } from '@anthropic-ai/sdk/resources/beta';
import { z } from 'zod';
import { dataWithoutSecrets, withoutSecrets } from '../../../core/guard/secrets.ts';
import type { MemoryStore } from '../ports.ts';
import { headOnly } from '../text.ts';
import { asText } from './confine.ts';
import { projectOf } from './projectOf.ts';
import { defineTool } from './tool.ts';

const MAX_CHARACTERS = 64_000;
const clean = withoutSecrets();
const path = z.string();

/** The parameters of each command, as the API defines them. */
const COMMANDS = z.discriminatedUnion('command', [
  z.object({ command: z.literal('view'), path, view_range: z.array(z.int()).length(2).optional() }),
  z.object({ command: z.literal('create'), path, file_text: z.string() }),
  z.object({ command: z.literal('str_replace'), path, old_str: z.string().min(1), new_str: z.string().default('') }),
  z.object({ command: z.literal('insert'), path, insert_line: z.int().min(0), insert_text: z.string() }),
  z.object({ command: z.literal('delete'), path }),
  z.object({ command: z.literal('rename'), old_path: path, new_path: path }),
]);

/** One flat object, because some servers reject a schema that is a choice of objects. */
const input = z.object({
  command: z.enum(['view', 'create', 'str_replace', 'insert', 'delete', 'rename']),
  path: z.string().optional().describe('Starts with /memories'),
  view_range: z.array(z.int()).length(2).optional().describe('view: [first, last] line, from 1; -1: to the end'),
  file_text: z.string().optional().describe('create'),
  old_str: z.string().optional().describe('str_replace: occurs exactly once'),
  new_str: z.string().optional(),
  insert_line: z.int().optional().describe('insert: after this line, or 0 for the start of the file'),
  insert_text: z.string().optional(),
  old_path: z.string().optional().describe('rename'),
  new_path: z.string().optional(),
});

export const memory = defineTool({
  name: 'memory',
  description:
    'Your memory: files below /memories that outlive this conversation. facts/*.md is what you know, one subject a file; episodes/*.md is what happened, written by the engine.',
  input,
  live: ({ command, path: at, old_path }) => `memory ${command} ${at ?? old_path ?? ''}`.trimEnd(),
  async run(given, context) {
    const command = COMMANDS.parse(dataWithoutSecrets(given, clean));
    const tool = betaMemoryTool(handlersOf(projectOf(context).memory));
    return headOnly(asText(await tool.run(command as BetaMemoryTool20250818Command)), MAX_CHARACTERS);
  },
});

function handlersOf(memory: MemoryStore): MemoryToolHandlers {
  return {
    view: (command) => memory.view(command),
    create: (command) => memory.create(command),
    str_replace: (command) => memory.str_replace(command),
    insert: (command) => memory.insert(command),
    delete: (command) => memory.delete(command),
    rename: (command) => memory.rename(command),
  };
}
