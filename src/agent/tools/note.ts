import { sep } from 'node:path';
import { z } from 'zod';
import { anchorOf } from '../../core/noteAnchors.ts';
import { findFailure } from '../../shared/errors.ts';
import { hiddenNames, wayInTree } from './confine.ts';
import { told } from './told.ts';
import { defineTool, type ToolContext } from './tool.ts';

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
    const { desk } = context;
    if (file === undefined) return told(await desk.addNote({ scope, content }));
    const way = await wayInTree(context, file);
    const anchor = line === undefined ? null : await anchorAt(context, way, line);
    // As notes name files: relative to the tree, with `/`.
    return told(await desk.addNote({ scope, content, file: way.replaceAll(sep, '/'), line, anchor }));
  },
});

/** What the line says now, by which the note is found when the code moves; null: there is no such line. */
async function anchorAt({ files, project }: ToolContext, path: string, line: number): Promise<string | null> {
  try {
    const bounds = { maxBytes: MAX_LINE_BYTES, lines: [line, line] as const, hidden: hiddenNames(project) };
    return anchorOf(await files.read(path, bounds));
  } catch (thrown) {
    // A note about a file that is not there, or not yet, is worth keeping without its place.
    if (findFailure(thrown) !== undefined) return null;
    throw thrown;
  }
}
