/** The editor's own multi-diff of exactly the commit that an answer binds to. */
import * as vscode from 'vscode';
import {
  askedAbout,
  pendingApprovals,
  questionIn,
  questionKey,
  reviewRange,
} from '../../../core/approval/stewardship.ts';
import type { ApprovalRow } from '../../../shared/approval.ts';
import { failure } from '../../../shared/errors.ts';
import { registerCommand, withErrorMessage } from '../../window/command.ts';
import type { HostContext } from '../../window/context.ts';
import { namedQuestion, nameOf } from '../question.ts';
import { closeAnswered } from './closeAnswered.ts';
import { registerReviewComments } from './comments.ts';
import { COMMIT_SCHEME, commitTextOf, questionAt } from './commitUri.ts';

/** True while the review of an open question, or a text of it, is in front. */
const REVIEWING = 'autonomous.reviewing';

/** `autonomous.reviewChanges` takes an approval's id, `{approvalId, jobId?}`, or nothing: then it asks. */
export function registerReview(context: HostContext): vscode.Disposable {
  const titles = new Map<string, ApprovalRow>();
  const inFront = (): ApprovalRow | null => {
    const { state } = context.engine;
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const uri = vscode.window.activeTextEditor?.document.uri;
    // The editor adds the number of files to the label.
    const title = [...titles.keys()].find((one) => tab?.label.startsWith(one) === true);
    const asked = title === undefined ? undefined : titles.get(title);
    const row = asked !== undefined ? questionIn(state, asked) : uri === undefined ? null : questionAt(state, uri);
    // An answered question can be shown, but not answered again.
    return row?.status === 'pending' ? row : null;
  };
  let marked = false;
  const mark = (): void => {
    const reviewing = inFront() !== null;
    if (reviewing === marked) return;
    marked = reviewing;
    void vscode.commands.executeCommand('setContext', REVIEWING, reviewing);
  };
  const isOver = (asked: ApprovalRow): boolean => {
    const status = questionIn(context.engine.state, asked)?.status;
    return status !== undefined && status !== 'pending';
  };
  const decideInFront = (command: string) => async (): Promise<void> => {
    const row = inFront();
    await vscode.commands.executeCommand(command, row === null ? undefined : nameOf(row));
  };
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(COMMIT_SCHEME, {
      provideTextDocumentContent: (uri) => textOf(context, uri),
    }),
    registerReviewComments(context),
    context.engine.onDidChange(mark),
    context.engine.onDidChange(() => withErrorMessage(context, () => closeAnswered(titles, isOver))),
    vscode.window.tabGroups.onDidChangeTabs(mark),
    vscode.window.tabGroups.onDidChangeTabGroups(mark),
    vscode.window.onDidChangeActiveTextEditor(mark),
    registerCommand(context, 'autonomous.approveReviewed', decideInFront('autonomous.approve')),
    registerCommand(context, 'autonomous.rejectReviewed', decideInFront('autonomous.reject')),
    registerCommand(context, 'autonomous.reviewChanges', async (target) => {
      const approval = await reviewable(context, target);
      if (approval === null) return;
      const title = titleFor(approval, titles);
      titles.set(title, approval);
      await withErrorMessage(context, () => openReview(context, approval, title));
      mark();
    }),
  );
}

/** A title that no other question uses: a review of another folder may still be open in a tab. */
function titleFor(asked: ApprovalRow, taken: ReadonlyMap<string, ApprovalRow>): string {
  const { id, question, commit } = asked;
  const title = vscode.l10n.t('Review {0}: {1}', id, question);
  const other = taken.get(title);
  if (other === undefined || questionKey(other) === questionKey(asked)) return title;
  return vscode.l10n.t('Review {0}: {1}', `${id} (${commit?.slice(0, 7) ?? asked.job_id})`, question);
}

async function textOf(context: HostContext, uri: vscode.Uri): Promise<string> {
  const named = commitTextOf(uri);
  const text = named === null ? null : await context.engine.files.textAt(named.jobId, named.commit, named.path);
  return text ?? vscode.l10n.t('No text to show: the file is too large, or missing at this commit.');
}

async function openReview(context: HostContext, approval: ApprovalRow, title: string): Promise<void> {
  if (approval.kind === 'pick') {
    const { compareCandidates } = await import('../candidates.ts');
    return compareCandidates(context, approval, title);
  }
  const range = reviewRange(context.engine.state, approval);
  if (range === null) throw failure('NOT_FOUND', vscode.l10n.t('This question is about no changes.'));
  const { jobId, from, to } = range;
  const { openChanges } = await import('./changes.ts');
  const { id: approvalId, executables } = approval;
  await openChanges(context.engine.files, title, { jobId, sides: [{ from, to }], approvalId, executables });
}

/** Returns null if the choice was dismissed, or if there is nothing to review, which is shown. */
async function reviewable(context: HostContext, target: unknown): Promise<ApprovalRow | null> {
  await context.engine.open();
  const { state } = context.engine;
  const named = namedQuestion(state, target);
  if (named !== undefined) return named;
  const rows = pendingApprovals(state).filter((row) => row.kind === 'pick' || reviewRange(state, row) !== null);
  const [only] = rows;
  if (only === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No changes are pending review.'));
    return null;
  }
  if (rows.length === 1) return only;
  const items = rows.map((row) => ({
    label: row.question,
    description: askedAbout(state, row),
    row,
  }));
  return (
    (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Review Changes'), ignoreFocusOut: true }))?.row ??
    null
  );
}
