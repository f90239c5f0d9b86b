import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { betaReadTool, resolvePath } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { z } from 'zod';
import { anchorOf } from '../../core/noteAnchors.ts';
import { asText, refuseHiddenPath, relativePaths } from './confine.ts';
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
  async run({ scope, content, file, line }, context) {
    const { desk, workdir } = context;
    if (file === undefined) return told(await desk.addNote({ scope, content }));
    await refuseHiddenPath(context, file);
    const path = await pathInTree(workdir, file);
    const anchor = line === undefined ? null : await anchorAt(workdir, path, line);
    return told(await desk.addNote({ scope, content, file: path, line, anchor }));
  },
});

/** As notes name files: relative to the tree, with `/`. Throws `ToolError` for what lies outside of it. */
async function pathInTree(workdir: string, file: string): Promise<string> {
  return (await relativePaths(workdir, await resolvePath({ workdir }, file))).replaceAll('\\', '/');
}

/** What the line says now, by which the note is found when the code moves; null: there is no such line. */
async function anchorAt(workdir: string, path: string, line: number): Promise<string | null> {
  try {
    return anchorOf(asText(await betaReadTool({ workdir }).run({ file_path: path, view_range: [line, line] })));
  } catch (thrown) {
    // A note about a file that is not there, or not yet, is worth keeping without its place.
    if (thrown instanceof ToolError) return null;
    throw thrown;
  }
}
