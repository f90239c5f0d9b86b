/** Says which files no commit takes because of their size. */
import { fileSize } from './fileSize.ts';

/** Files that are named. */
const NAMED = 10;

/** One sentence for a worker or a person; null if `files` is empty. */
export function tooLargeText(files: readonly { readonly path: string; readonly bytes: number }[]): string | null {
  if (files.length === 0) return null;
  const named = files.slice(0, NAMED).map(({ path, bytes }) => `${JSON.stringify(path)} (${fileSize(bytes)})`);
  const more = files.length > NAMED ? ` and ${files.length - NAMED} more` : '';
  return `Too large to commit, so the commit has them as they were before: ${named.join(', ')}${more}.`;
}

/** The advice to a worker about such files. */
export const TOO_LARGE_HINT =
  'Remove these files, make them smaller, or list them in .gitignore if they are not part of the work.';
