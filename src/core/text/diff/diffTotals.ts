/** How much a unified diff of git's changes. */
import type { DiffTotals } from '../../../shared/job/rows.ts';

/** Of a diff that was cut, what is left of it. */
export function diffTotals(diff: string): DiffTotals {
  let [files, added, removed] = [0, 0, 0];
  // Within a hunk each line has its mark first, so that no text of a file is taken for a header.
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
