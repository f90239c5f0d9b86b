/** States how the base branch moved while a job worked. */

import type { Evidence } from '../../../shared/job/evidence.ts';
import type { BaseMerge, GainedCommits, JobRow } from '../../../shared/job/rows.ts';
import { cutText } from '../../text/cutText.ts';
import { endText } from '../missingTool.ts';
import { hasPassed } from '../view/freshRun.ts';

/** Characters of a subject. */
const MAX_SUBJECT = 100;

/** e.g. `2 commits (Test nine formats; Add a parser)`. */
export function gainedWords({ count, subjects }: GainedCommits): string {
  const names = subjects.map((subject) => cutText(subject, MAX_SUBJECT));
  const more = count > names.length && names.length > 0 ? [`and ${count - names.length} more`] : [];
  const named = names.length === 0 ? '' : ` (${[...names, ...more].join('; ')})`;
  return `${count} ${count === 1 ? 'commit' : 'commits'}${named}`;
}

const short = (commit: string): string => commit.slice(0, 12);

/** e.g. `main moved to 0123456789ab, 1 commit (Test nine formats), and was merged at ba9876543210.` */
export function movedText({ base_branch }: Pick<JobRow, 'base_branch'>, { base, head, gained }: BaseMerge): string {
  const commits = gained === null ? '' : `, ${gainedWords(gained)},`;
  return `${base_branch ?? 'The base'} moved to ${short(base)}${commits} and was merged at ${short(head)}.`;
}

type Known = Pick<JobRow, 'base_branch' | 'base_merges' | 'result_passed'>;

/**
 * The history of a command that fails on the result: when all commands passed, whether the base branch moved since, and how the command ends on the
 * base alone. Empty if none of these is known.
 */
export function failureHistory(job: Known, command: string, base: readonly Evidence[]): string {
  const { base_branch, base_merges, result_passed: passed } = job;
  const merges = base_merges.slice(base_merges.findIndex(({ onto }) => onto === passed));
  const moved = passed === null || !base_merges.some(({ onto }) => onto === passed) ? [] : merges;
  const alone = base.find((one) => one.command === command);
  const how = alone === undefined ? '' : hasPassed(alone) ? 'passes' : `fails too (${endText(alone)})`;
  return [
    ...(passed === null ? [] : [`Every verify command passed on the result at ${short(passed)}.`]),
    ...moved.map((one) => `Then ${movedText({ base_branch }, one)}`),
    ...(alone === undefined
      ? []
      : [`On ${base_branch ?? 'the base'} alone, at ${short(alone.commit)}, \`${command}\` ${how}.`]),
  ].join('\n');
}
