/** A yes to a command without a sandbox is for one run: the same words may do another thing once files have changed. */
import type { ApprovalRow } from '../../shared/approval.ts';
import type { LoopStore } from '../state/loopStore.ts';

/** Answers in use: rows are never changed in place, so the object identifies the answer. */
const taken = new WeakSet<ApprovalRow>();

/** Whether the answer is valid for another run. */
export const isUnused = (row: ApprovalRow): boolean => row.status !== 'void' && !taken.has(row);

/**
 * Durable before the command starts: after a crash the question is repeated, rather than the command run twice on one approval.
 */
export async function useUp(store: LoopStore, row: ApprovalRow): Promise<void> {
  taken.add(row);
  await store.commit({ type: 'approval_voided', id: row.id, reason: 'used: it was for one run' });
}
