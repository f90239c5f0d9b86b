/** States how the base branch moved while a job worked. */
import type { GainedCommits } from '../shared/domain.ts';
import { cutText } from './cutText.ts';

/** Characters of a subject. */
const MAX_SUBJECT = 100;

/** e.g. `2 commits (Test nine formats; Add a parser)`. */
export function gainedWords({ count, subjects }: GainedCommits): string {
  const names = subjects.map((subject) => cutText(subject, MAX_SUBJECT));
  const more = count > names.length && names.length > 0 ? [`and ${count - names.length} more`] : [];
  const named = names.length === 0 ? '' : ` (${[...names, ...more].join('; ')})`;
  return `${count} ${count === 1 ? 'commit' : 'commits'}${named}`;
}
