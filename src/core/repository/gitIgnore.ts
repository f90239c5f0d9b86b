/** Decides which paths the `.gitignore` files of a tree leave out, as git does. */
import { globMatcher, type PathMatcher } from './globMatch.ts';

interface IgnoreRule {
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  readonly matches: PathMatcher;
}

/** The rules of one `.gitignore`. `folder` is its folder, relative to the tree, and empty at the top. */
export interface IgnoreFile {
  readonly folder: string;
  readonly rules: readonly IgnoreRule[];
}

const MAX_RULES = 2_000;

export function ignoreFile(folder: string, text: string): IgnoreFile {
  const rules = text.split(/\r?\n/).slice(0, MAX_RULES).flatMap(ruleOf);
  return { folder, rules };
}

function ruleOf(line: string): IgnoreRule[] {
  const text = line.replace(/(?<!\\)\s+$/, '');
  if (text === '' || text.startsWith('#')) return [];
  const negated = text.startsWith('!');
  const pattern = negated ? text.slice(1) : text;
  const foldersOnly = pattern.endsWith('/');
  const bare = pattern.replace(/^\//, '').replace(/\/$/, '');
  // A pattern with a slash before its end is relative to its file's folder. Any other pattern applies at every depth.
  const anchored = pattern.replace(/\/$/, '').includes('/');
  return bare === ''
    ? []
    : [{ negated, foldersOnly, matches: globMatcher(anchored ? bare : `**/${bare}`, { braces: false }) }];
}

/** The deepest file decides, and in it the last rule that matches. Folders above `path` are judged by the caller on its way down. */
export function isIgnored(files: readonly IgnoreFile[], path: string, isFolder: boolean): boolean {
  for (const { folder, rules } of files.toReversed()) {
    const own = folder === '' ? path : path.slice(folder.length + 1);
    const rule = rules.findLast(({ foldersOnly, matches }) => (!foldersOnly || isFolder) && matches(own));
    if (rule !== undefined) return !rule.negated;
  }
  return false;
}
