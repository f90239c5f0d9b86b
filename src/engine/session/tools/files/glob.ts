/** The tool `glob`: lists files of the tree by a pattern. */
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { z } from 'zod';
import { isGitName } from '../../../../core/guard/hiddenNames.ts';
import { globMatcher } from '../../../../core/repository/globMatch.ts';
import type { Listed } from '../../ports.ts';
import { headOnly } from '../../text.ts';
import { hiddenNames, wayInTree } from '../confine.ts';
import { defineTool } from '../tool.ts';

const MAX_CHARACTERS = 16_000;
const DEFAULT_LIMIT = 200;

export const glob = defineTool({
  name: 'glob',
  description: 'List files, folders/ and links by pattern, e.g. src/**/*.ts. Leaves out what .gitignore names.',
  input: z.object({
    pattern: z.string().min(1),
    path: z.string().optional().describe('Folder to search'),
    limit: z.int().min(1).max(2_000).optional().describe(`Default ${DEFAULT_LIMIT}`),
  }),
  live: ({ pattern }) => `glob ${pattern}`,
  async run({ pattern, path = '.', limit = DEFAULT_LIMIT }, context) {
    if (pattern.startsWith('/') || pattern.split(/[\\/{},]/).includes('..')) {
      throw new ToolError('glob: the pattern is relative to path, without "..": set path to the folder to search');
    }
    const way = (await wayInTree(context, path)).replaceAll('\\', '/');
    const matches = globMatcher(pattern.replace(/^(?:\.\/)+/, '').replace(/\/$/, ''));
    const foldersOnly = pattern.endsWith('/');
    const isHidden = hiddenNames(context.project);
    const namesPackages = `${path}/${pattern}`.includes('node_modules');
    const listed = await context.files.list(path, {
      hidden: (name) => isHidden(name) || isGitName(name) || (name === 'node_modules' && !namesPackages),
      wanted: (found, kind) =>
        (!foldersOnly || kind === 'folder') && matches(way === '' ? found : found.slice(way.length + 1)),
      max: limit,
      signal: context.signal,
    });
    return headOnly(asLines(listed) || noMatch(pattern, path), MAX_CHARACTERS);
  },
});

function asLines({ entries, more, isCut }: Listed): string {
  const lines = entries.map(({ path, kind, target }) => {
    if (kind === 'link') return `${path} -> ${target ?? '?'}`;
    return kind === 'folder' ? `${path}/` : path;
  });
  if (more > 0) lines.push(`[… ${more} more]`);
  if (isCut) lines.push('[the tree is too large for a full list: name a path]');
  return lines.join('\n');
}

const noMatch = (pattern: string, path: string): string =>
  `No file, folder or link matches ${JSON.stringify(pattern)} in ${path}. What .gitignore names is left out.`;
