/** Comments beside the reviewed lines: each becomes a line of the rejection's feedback. */
import * as vscode from 'vscode';
import { takesRemarksOf } from '../../../core/approval/stewardship.ts';
import type { ApprovalRow } from '../../../shared/approval.ts';
import { given, registerCommand } from '../../window/command.ts';
import type { HostContext } from '../../window/context.ts';
import { commitTextOf } from './commitUri.ts';
import { remarksOf } from './remarks.ts';

export function registerReviewComments(context: HostContext): vscode.Disposable {
  const controller = vscode.comments.createCommentController('autonomous.review', vscode.l10n.t('Autonomous Review'));
  controller.options = {
    prompt: vscode.l10n.t('Comment on this line'),
    placeHolder: vscode.l10n.t('Sent with the rejection, with file and line'),
  };
  controller.commentingRangeProvider = {
    provideCommentingRanges: (document) =>
      (commitTextOf(document.uri)?.approvalId ?? null) === null
        ? []
        : [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)],
  };
  const threads = new Set<vscode.CommentThread>();
  const drop = (thread: vscode.CommentThread): void => {
    threads.delete(thread);
    thread.dispose();
  };
  const about = (asked: ApprovalRow): vscode.CommentThread[] =>
    [...threads].filter(({ uri }) => {
      const { jobId = null, approvalId = null } = commitTextOf(uri) ?? {};
      const remarked = approvalId === null ? undefined : context.engine.state.approvals.get(approvalId);
      return remarked?.job_id === jobId && remarked !== undefined && takesRemarksOf(asked, remarked);
    });
  remarksOf(context).attach({
    of: (asked) => about(asked).flatMap(remarksIn),
    clear: (asked) => {
      for (const thread of about(asked)) drop(thread);
    },
  });
  return vscode.Disposable.from(
    controller,
    registerCommand(context, 'autonomous.addReviewComment', async (reply) => {
      const thread = given(reply, 'thread') as vscode.CommentThread | undefined;
      const text = given(reply, 'text');
      if (thread === undefined || typeof text !== 'string' || text.trim() === '') return;
      thread.comments = [
        ...thread.comments,
        { author: { name: vscode.l10n.t('You') }, body: text, mode: vscode.CommentMode.Preview },
      ];
      thread.label = vscode.l10n.t('Sent with the rejection, with file and line');
      threads.add(thread);
    }),
    registerCommand(context, 'autonomous.deleteReviewComment', async (thread) => {
      if (given(thread, 'dispose') !== undefined) drop(thread as vscode.CommentThread);
    }),
  );
}

function remarksIn(thread: vscode.CommentThread): { path: string; line: number | null; text: string }[] {
  const path = commitTextOf(thread.uri)?.path ?? thread.uri.path;
  const line = thread.range === undefined ? null : thread.range.start.line + 1;
  return thread.comments.map(({ body }) => ({ path, line, text: typeof body === 'string' ? body : body.value }));
}
