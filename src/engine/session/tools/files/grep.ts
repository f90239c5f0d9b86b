/** The tool `grep`: searches files of the tree. */
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { z } from 'zod';
import { globMatcher } from '../../../../core/repository/globMatch.ts';
import type { Found } from '../../ports.ts';
import { hiddenNames, wayInTree } from '../confine.ts';
import { defineTool } from '../tool.ts';

const MAX_CHARACTERS = 16_000;
/** A larger file is not searched if it is named. */
const MAX_BYTES = 256 * 1024 * 1024;
const DEFAULT_LIMIT = 200;
const lines = z.int().min(0).max(100).optional();

const input = z.object({
  pattern: z.string().min(1),
  path: z.string().optional().describe('File or folder'),
  glob: z.string().optional().describe('Only these files, e.g. *.{ts,tsx}'),
  type: z.string().optional().describe('File type, e.g. py'),
  '-i': z.boolean().optional(),
  '-A': lines,
  '-B': lines,
  '-C': lines,
  files_only: z.boolean().optional(),
  limit: z.int().min(1).max(2_000).optional().describe(`Matches, default ${DEFAULT_LIMIT}`),
});

export const grep = defineTool({
  name: 'grep',
  description:
    'Search file contents with ripgrep. Gives path:line:text, path-line-text for context. Leaves out what .gitignore names.',
  input,
  live: ({ pattern }) => `grep ${pattern}`,
  async run({ path = '.', ...given }, context) {
    const { files, signal, project } = context;
    const way = await wayInTree(context, path);
    const { kind, bytes } = await files.look(path);
    if (kind === 'other') throw new ToolError(`${JSON.stringify(path)} is neither a plain file nor a folder`);
    if (bytes > MAX_BYTES) throw new ToolError(`${JSON.stringify(path)} has ${bytes} bytes: too large to be searched`);
    const isHidden = hiddenNames(project);
    const accepts = accepting(given.glob, way.replaceAll('\\', '/'));
    const found = await files.search(path, {
      pattern: given.pattern,
      ignoreCase: given['-i'] ?? false,
      before: given['-B'] ?? given['-C'] ?? 0,
      after: given['-A'] ?? given['-C'] ?? 0,
      type: given.type ?? null,
      filesOnly: given.files_only ?? false,
      wanted: (file) => accepts(file) && !file.split('/').some(isHidden),
      max: given.limit ?? DEFAULT_LIMIT,
      signal,
    });
    return found.lines.length === 0 ? noMatch({ path, ...given }) : shown(found, given.files_only ?? false);
  },
});

/** A pattern without a slash is one of names, in every folder. Any other one is relative to the tree or to the searched folder. */
function accepting(pattern: string | undefined, way: string): (file: string) => boolean {
  if (pattern === undefined) return () => true;
  const negated = pattern.startsWith('!');
  const bare = (negated ? pattern.slice(1) : pattern).replace(/^(?:\.?\/)+/, '');
  const matches = globMatcher(bare.includes('/') ? bare : `**/${bare}`);
  return (file) => (matches(file) || (way !== '' && matches(file.slice(way.length + 1)))) !== negated;
}

/** Whole lines, as many as fit, and where the other matches are. */
function shown({ lines: found, more, isCut }: Found, filesOnly: boolean): string {
  const texts: string[] = [];
  const rest = new Map(more);
  const withContext = found.some(({ isMatch }) => !isMatch);
  let left = MAX_CHARACTERS;
  for (const [index, { path, number, text, isMatch }] of found.entries()) {
    const before = found[index - 1];
    const isApart = before !== undefined && (before.path !== path || number > before.number + 1);
    const mark = isMatch ? ':' : '-';
    const line = filesOnly ? path : `${path}${mark}${number}${mark}${text}`;
    left -= line.length + 1;
    if (left < 0) {
      if (isMatch) rest.set(path, (rest.get(path) ?? 0) + 1);
      continue;
    }
    if (isApart && withContext) texts.push('--');
    texts.push(line);
  }
  return [...texts, ...restLine(rest, isCut, filesOnly)].join('\n');
}

/** Number of files that are named: those with the most matches that are not shown. */
const NAMED_FILES = 5;

function restLine(rest: Found['more'], isCut: boolean, filesOnly: boolean): string[] {
  const count = [...rest.values()].reduce((sum, one) => sum + one, 0);
  if (count === 0 && !isCut) return [];
  const many = `[… ${count}${isCut ? ' or' : ''} more ${filesOnly ? 'files' : 'matches'}`;
  if (filesOnly || count === 0) return [`${many}]`];
  const most = [...rest].sort(([, one], [, other]) => other - one);
  const named = most.slice(0, NAMED_FILES).map(([path, matches]) => `${path} (${matches})`);
  const others = most.length - named.length;
  const inOthers = others === 0 ? [] : [`${others} other ${others === 1 ? 'file' : 'files'}`];
  return [`${many}, in ${[...named, ...inOthers].join(', ')}]`];
}

function noMatch({ pattern, path, glob, type }: z.output<typeof input>): string {
  const among = [glob && `glob ${glob}`, type && `type ${type}`].filter(Boolean).join(', ');
  return `No match for ${JSON.stringify(pattern)} in ${path}${among === '' ? '' : ` (${among})`}. What .gitignore names is left out.`;
}
