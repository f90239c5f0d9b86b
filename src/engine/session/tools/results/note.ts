/** The tool `note`: stores a note for later sessions. */
import { sep } from 'node:path';
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { z } from 'zod';
import { anchorOf } from '../../../../core/note/noteAnchors.ts';
import { findFailure } from '../../../../shared/errors.ts';
import { hiddenNames, type Tree, wayInTree } from '../confine.ts';
import { defineTool } from '../tool.ts';
import { acceptedText } from '../toolResult.ts';

const MAX_CHARACTERS = 4_000;
const MAX_LINE_BYTES = 256 * 1024;

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
    const place = file === undefined ? {} : await placeIn(context, file, line);
    return acceptedText(await context.sessionTools.addNote({ scope, content, ...place }));
  },
});

/** Like `placeIn`, for callers that show why a path is refused: it is not in the tree, or hidden. */
export async function notedPlace(
  ...given: Parameters<typeof placeIn>
): Promise<Awaited<ReturnType<typeof placeIn>> | { readonly fault: string }> {
  try {
    return await placeIn(...given);
  } catch (thrown) {
    if (thrown instanceof ToolError) return { fault: thrown.message };
    throw thrown;
  }
}

/** A note's place as it is stored: the path relative to the tree, with `/`. Throws `ToolError` if the path is not in the tree. */
async function placeIn(context: Tree, file: string, line: number | undefined) {
  const way = await wayInTree(context, file);
  const anchor = line === undefined ? null : await anchorAt(context, way, line);
  return { file: way.replaceAll(sep, '/'), line, anchor };
}

/** The current text of the line, by which the note is found when the code moves. Null if there is no such line. */
async function anchorAt({ files, project }: Tree, path: string, line: number): Promise<string | null> {
  try {
    const bounds = { maxBytes: MAX_LINE_BYTES, lines: [line, line] as const, hidden: hiddenNames(project) };
    return anchorOf(await files.read(path, bounds));
  } catch (thrown) {
    // A note about a file that does not exist, or not yet, is worth keeping without its position.
    if (findFailure(thrown) !== undefined) return null;
    throw thrown;
  }
}
