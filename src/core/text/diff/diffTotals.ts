/** Counts the changes of a unified diff by git. */
import type { DiffTotals } from '../../../shared/job/rows.ts';

/** For a diff that was cut, counts the rest of it. */
export function diffTotals(diff: string): DiffTotals {
  let [files, added, removed] = [0, 0, 0];
  // Within a hunk each line has a mark first, so that text of a file cannot be read as a header.
  let inHunk = false;
  for (const line of diff.split('\n')) {
    if (line.startsWith('diff --git ')) {
      files++;
      inHunk = false;
    } else if (line.startsWith('@@ ')) inHunk = true;
    else if (inHunk && line.startsWith('+')) added++;
    else if (inHunk && line.startsWith('-')) removed++;
  }
  return { files, added, removed };
}
