import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { betaGrepTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { z } from 'zod';
import { headOnly } from '../text.ts';
import { asText, relativePaths, wayInTree, withoutHidden } from './confine.ts';
import { defineTool } from './tool.ts';

const MAX_CHARACTERS = 16_000;
/** Of one file that is named. */
const MAX_BYTES = 256 * 1024 * 1024;

export const grep = defineTool({
  name: 'grep',
  description: 'Search file contents by regular expression. Gives path:line:text.',
  input: z.object({ pattern: z.string(), path: z.string().optional().describe('File or folder') }),
  live: ({ pattern }) => `grep ${pattern}`,
  async run({ pattern, path = '.' }, context) {
    const { workdir, files, callId, signal } = context;
    await wayInTree(context, path);
    const { kind, bytes } = await files.look(path);
    if (kind === 'other') throw new ToolError(`${JSON.stringify(path)} is no plain file and no folder`);
    if (bytes > MAX_BYTES) throw new ToolError(`${JSON.stringify(path)} has ${bytes} bytes: too large to be searched`);
    const toolUse = { type: 'tool_use', id: callId, name: 'grep', input: {} } as const;
    const stopped = { toolUse, toolUseBlock: toolUse, signal };
    const found = asText(await betaGrepTool({ workdir }).run({ pattern, path }, stopped));
    return headOnly(inFileOrder(withoutHidden(context, await relativePaths(workdir, found))), MAX_CHARACTERS);
  },
});

/** ripgrep's threads finish in any order; the same search should read the same twice. */
function inFileOrder(text: string): string {
  const lines = text.trimEnd().split('\n');
  const place = (line: string) => {
    const match = /^(.*?):(\d+):/.exec(line);
    return match === null ? { file: '\u{10FFFF}', number: 0 } : { file: match[1] ?? '', number: Number(match[2]) };
  };
  return lines
    .map((line) => ({ line, ...place(line) }))
    .sort((a, b) => (a.file === b.file ? a.number - b.number : a.file < b.file ? -1 : 1))
    .map(({ line }) => line)
    .join('\n');
}
