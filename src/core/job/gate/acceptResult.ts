/** The question whether to accept a result that fails a verify command. It is asked after a fix was attempted, and a person answers it in words. */
import type { ApprovalRow } from '../../../shared/approval.ts';
import type { TakenFailure } from '../../../shared/job/evidence.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { approvalOn, askedOf } from '../../approval/about.ts';
import { hasPassed } from '../view/freshRun.ts';

export const asksToAccept = (asked: Pick<ApprovalRow, 'subject'>): boolean => askedOf(asked).of === 'accept';

/**
 * The approval by which the steward accepts this commit although a verify command fails. Undefined if there is none. An answer does
 * not count for another commit.
 */
export function acceptance(state: State, { id }: Pick<JobRow, 'id'>, commit: string): ApprovalRow | undefined {
  const asked = approvalOn(state, id, { of: 'accept', commit });
  return asked?.status === 'approved' && asked.decided_by === 'steward' ? asked : undefined;
}

/** Null if the newest commit of the job was not taken in this way. */
export function takenFailure(state: State, job: JobRow): TakenFailure | null {
  const taken = job.head === null ? undefined : acceptance(state, job, job.head);
  if (taken === undefined) return null;
  const { commit, evidence } = job.result_checks ?? { commit: null, evidence: [] };
  const failed = commit === job.head ? evidence.filter((one) => !hasPassed(one)) : [];
  return { commands: failed.map(({ command }) => command), question: taken.id, reason: taken.feedback ?? '' };
}

/** e.g. "`npm test` fails on the result. The steward took it (question 8): The registry is down." */
export function takenText({ commands, question, reason }: TakenFailure): string {
  const names = commands.map((command) => `\`${command}\``).join(', ');
  const what = names === '' ? 'A verify command fails' : `${names} ${commands.length === 1 ? 'fails' : 'fail'}`;
  return `${what} on the result. The steward took it although it fails (question ${question}): ${reason.trim()}`;
}
