/** A yes to a command without a sandbox is for one run: the same words may do another thing once files have changed. */
import type { ApprovalRow } from '../../shared/approval.ts';
import type { LoopStore } from '../state/loopStore.ts';

/** Answers that somebody is about to use: rows are never changed in place, so a row is this very answer. */
const taken = new WeakSet<ApprovalRow>();

/** Whether the answer still stands for a run to come. */
export const isUnused = (row: ApprovalRow): boolean => row.status !== 'void' && !taken.has(row);

/** Durable before the command begins: after a crash it is asked for again rather than run twice on one yes. */
export async function useUp(store: LoopStore, row: ApprovalRow): Promise<void> {
  taken.add(row);
  await store.commit({ type: 'approval_voided', id: row.id, reason: 'used: it was for one run' });
}
