/** States why the merge queue returned an attempt, and how often. */
import type { AttemptReturn } from '../../../shared/job/rows.ts';

type Return = Pick<AttemptReturn, 'cause' | 'paths'>;

/** e.g. `returned twice by the merge (conflict in README.md; fails after the merge)`. Null if it was never returned. */
export function returnsText(returns: readonly Return[]): string | null {
  if (returns.length === 0) return null;
  const times = ['once', 'twice'][returns.length - 1] ?? `${returns.length} times`;
  return `returned ${times} by the merge (${returns.map(returnText).join('; ')})`;
}

export const returnText = ({ cause, paths }: Return): string => causeText(cause, paths[0] ?? null, paths.length - 1);

/** e.g. `conflict in README.md and 1 other file`. `path`: the first one that conflicts. */
export function causeText(cause: AttemptReturn['cause'], path: string | null, others: number): string {
  if (cause === 'verify_failed') return 'fails after the merge';
  const more = others < 1 ? '' : ` and ${others} other file${others === 1 ? '' : 's'}`;
  // A path is data of the repository: it stays on its line.
  return `conflict in ${path?.replaceAll(/\s+/g, ' ') ?? 'its files'}${more}`;
}
