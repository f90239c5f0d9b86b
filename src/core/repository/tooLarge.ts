/** The size limits of a commit, and which files a commit leaves out because of them. */
import { fileSize } from '../text/fileSize.ts';

export const SIZE_LIMITS = {
  /** Limit of one file, before and after its change. */
  fileBytes: 100_000_000,
  /** Limit of all files together that a job changed. */
  changeBytes: 1_000_000_000,
} as const;

/** For the instructions of every worker: an agent should know the limits before an attempt fails. */
export const SIZE_LIMIT_RULE = `A file over ${fileSize(SIZE_LIMITS.fileBytes)}, or more than ${fileSize(SIZE_LIMITS.changeBytes)} of changes in all, cannot be committed and fails the attempt. List large generated files in .gitignore.`;

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
