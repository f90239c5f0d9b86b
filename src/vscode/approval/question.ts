/** Finds the question that an answer is for: exactly the one that was shown. Another folder may have a question with the same number. */
import * as vscode from 'vscode';
import { questionIn } from '../../core/approval/stewardship.ts';
import type { ApprovalRow } from '../../shared/approval.ts';
import type { State } from '../../shared/workspace/state.ts';
import { given } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import { plainWords } from '../words/plainWords.ts';

/** Returns the current row of the question. If it was answered or withdrawn, shows that and returns null. */
export async function stillPending({ engine }: HostContext, asked: ApprovalRow): Promise<ApprovalRow | null> {
  await engine.open();
  const row = questionIn(engine.state, asked);
  if (row?.status === 'pending') return row;
  showSettled(row);
  return null;
}

/**
 * Finds a question by `id` or `{approvalId, jobId?}`. Returns undefined if none was named. If this state does not contain it, shows that and returns
 * null.
 */
export function namedQuestion(state: State, target: unknown): ApprovalRow | null | undefined {
  const id = typeof target === 'number' ? target : given(target, 'approvalId');
  if (typeof id !== 'number') return undefined;
  const row = state.approvals.get(id);
  const jobId = given(target, 'jobId');
  if (row !== undefined && (jobId === undefined || jobId === row.job_id)) return row;
  showSettled(undefined);
  return null;
}

/** As commands take it. */
export function nameOf({ id, job_id }: ApprovalRow): { readonly approvalId: number; readonly jobId: string | null } {
  return { approvalId: id, jobId: job_id };
}

function showSettled(row: ApprovalRow | undefined): void {
  const how =
    row === undefined || row.status === 'void'
      ? vscode.l10n.t('This question is settled: what it asked about changed.')
      : row.status === 'approved'
        ? vscode.l10n.t('This question was approved already.')
        : vscode.l10n.t('This question was rejected already.');
  void vscode.window.showInformationMessage(plainWords(how));
}
