/** The question whether to accept a result that fails a verify command. It comes after a fix was tried, and a person answers it in words. */
import type { ApprovalRow } from '../shared/approvals.ts';
import type { JobRow } from '../shared/domain.ts';
import type { State } from '../shared/state.ts';
import { approvalOn } from './rows.ts';

const ACCEPT = 'accept:';

/** The subject of the question about this commit. An answer does not count for another commit. */
export const acceptSubject = (commit: string): string => `${ACCEPT}${commit}`;

export const asksToAccept = ({ kind, subject }: Pick<ApprovalRow, 'kind' | 'subject'>): boolean =>
  kind === 'escalate' && subject.startsWith(ACCEPT);

/** The approval by which the steward accepts this commit although a verify command fails. Undefined if there is none. */
export function acceptance(state: State, { id }: Pick<JobRow, 'id'>, commit: string): ApprovalRow | undefined {
  const asked = approvalOn(state, id, acceptSubject(commit));
  return asked?.status === 'approved' && asked.decided_by === 'steward' ? asked : undefined;
}
