/** Approve and reject: what must be asked before the answer goes out. Nothing that was dismissed counts as an answer. */
import * as vscode from 'vscode';
import { glance, orderedChoices, rejectionFeedback } from '../../core/stewardship.ts';
import type { ApprovalKind, ApprovalRow } from '../../shared/approvals.ts';
import type { State } from '../../shared/state.ts';
import type { HostContext } from '../context.ts';
import { plainWords } from '../plainWords.ts';
import { planUri } from '../plan/planUri.ts';
import { remarksOf } from '../review/remarks.ts';
import { commandsRead, executablesTicked, folderTrusted } from './beforeRunning.ts';
import { stillPending } from './question.ts';

/**
 * `choice`: as already chosen, by a button that names it; null: asked here, with `first` at the top of the list. `confirm`: the button
 * was a page's, so that nothing counts that no dialog of the editor said.
 */
export async function approve(
  context: HostContext,
  asked: ApprovalRow,
  given: { readonly choice?: string | null; readonly first?: string | null; readonly confirm?: boolean } = {},
): Promise<void> {
  const approval = await stillPending(context, asked);
  if (approval === null) return;
  const planOf = approval.kind === 'plan' ? approval.job_id : null;
  if (planOf !== null && planIsUnsaved(planOf)) {
    await vscode.commands.executeCommand('autonomous.acceptPlan', planOf);
    return;
  }
  if (!(await remarksGivenUp(context, approval)) || !(await commandsRead(approval)) || !(await folderTrusted(approval)))
    return;
  const choice = given.choice ?? (await chosen(context, approval, given.first ?? null));
  if (choice === undefined) return;
  const isAsked = ASKS_BY_ITSELF.includes(approval.kind) || (given.choice == null && isPicked(context, approval));
  if (given.confirm === true && !isAsked && !(await confirmed(approval, choice))) return;
  const feedback = await words(approval);
  if (feedback === undefined) return;
  if (!(await executablesTicked(approval))) return;
  // What was asked here took its time.
  if ((await stillPending(context, approval)) === null) return;
  const { id } = approval;
  await context.engine.wish('decide', { approvalId: id, decision: 'approved', choice, feedback, by: 'steward' });
  remarksOf(context).clear(approval);
  // The plan, which opened by itself, gives way to what becomes of it.
  if (planOf !== null && planIsInFront(planOf)) await vscode.commands.executeCommand('autonomous.openBoard');
}

function planIsInFront(jobId: string): boolean {
  return vscode.window.activeTextEditor?.document.uri.toString() === planUri(jobId).toString();
}

/** What was written into the plan's document counts: it is saved before it is accepted. */
function planIsUnsaved(jobId: string): boolean {
  const uri = planUri(jobId).toString();
  return vscode.workspace.textDocuments.some((one) => one.isDirty && one.uri.toString() === uri);
}

/** Comments go with a rejection alone: whether the person does without them. */
async function remarksGivenUp(context: HostContext, approval: ApprovalRow): Promise<boolean> {
  const { length } = remarksOf(context).of(approval);
  if (length === 0) return true;
  const go = vscode.l10n.t('Approve Without Comments');
  const pressed = await vscode.window.showWarningMessage(
    plainWords(vscode.l10n.t('Your comments in the review reach nobody with an approval: {0}', length)),
    { modal: true, detail: vscode.l10n.t('They go with a rejection only. An approval deletes them.') },
    go,
  );
  return pressed === go;
}

/** Nobody reads why: nothing goes on by a no to these. */
const NEEDS_NO_REASON: readonly ApprovalKind[] = ['workdir', 'definition', 'relay', 'project'];

async function refuse({ engine }: HostContext, { id }: ApprovalRow): Promise<void> {
  await engine.wish('decide', { approvalId: id, decision: 'rejected', feedback: 'refused', by: 'steward' });
}

async function rejectionPrompt(state: State, approval: ApprovalRow, remarks: number): Promise<string> {
  const { refusalOf } = await import('../../core/refusals.ts');
  switch (refusalOf(state, approval)) {
    case 'ends':
      return vscode.l10n.t('This ends the job. Why?');
    case 'pauses':
      return vscode.l10n.t('This pauses the job; its work is kept. Why?');
    case 'fails':
      return vscode.l10n.t('This marks the feature as failed; the job continues with the others. Why?');
    case 'drops':
      return vscode.l10n.t("This ends this agent's try; the other agents' results and tries stay. Why?");
    case 'skips':
      return vscode.l10n.t('This runs no setup commands; the job continues. Why?');
    default:
      return remarks === 0
        ? vscode.l10n.t('What should be different?')
        : vscode.l10n.t('What should be different? Your comments in the review go with it: {0}', remarks);
  }
}

export async function reject(context: HostContext, asked: ApprovalRow): Promise<void> {
  const approval = await stillPending(context, asked);
  if (approval === null) return;
  if (NEEDS_NO_REASON.includes(approval.kind)) return refuse(context, approval);
  const remarks = remarksOf(context).of(approval);
  const words = await vscode.window.showInputBox({
    title: vscode.l10n.t('Reject: {0}', approval.question),
    prompt: plainWords(await rejectionPrompt(context.engine.state, approval, remarks.length)),
    ignoreFocusOut: true,
  });
  if (words === undefined) return;
  const feedback = rejectionFeedback(words, remarks);
  if (feedback === '') {
    void vscode.window.showInformationMessage(vscode.l10n.t('A rejection needs its reason.'));
    return;
  }
  if ((await stillPending(context, approval)) === null) return;
  await context.engine.wish('decide', { approvalId: approval.id, decision: 'rejected', feedback, by: 'steward' });
  remarksOf(context).clear(approval);
}

/** undefined: dismissed. */
async function chosen(
  context: HostContext,
  approval: ApprovalRow,
  first: string | null,
): Promise<string | null | undefined> {
  const inOrder = orderedChoices(context.engine.state, approval);
  if (approval.kind === 'pick') return (await import('./candidates.ts')).pickCandidate(context, approval, first);
  const choices = [...inOrder.filter((one) => one === first), ...inOrder.filter((one) => one !== first)];
  if (!isPicked(context, approval)) return choices[0] ?? null;
  const items = choices.map((choice) => ({ label: choiceLabel(approval, choice), choice }));
  const options = { title: approval.question, placeHolder: glance(approval.detail), ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(items, options))?.choice;
}

/** Whether its answer is picked from a list. */
function isPicked({ engine }: HostContext, approval: ApprovalRow): boolean {
  const { length } = orderedChoices(engine.state, approval);
  return approval.kind === 'pick' || length >= (approval.kind === 'limit' ? 1 : 2);
}

/** Their answers take a dialog, or words, whoever gives them. */
const ASKS_BY_ITSELF: readonly ApprovalKind[] = ['command', 'setup', 'workdir', 'stuck', 'task'];

async function confirmed(approval: ApprovalRow, choice: string | null): Promise<boolean> {
  const go = choice === null ? vscode.l10n.t('Approve') : choiceLabel(approval, choice);
  const shown = { modal: true, detail: plainWords(glance(approval.detail)) };
  return (await vscode.window.showWarningMessage(plainWords(approval.question), shown, go)) === go;
}

export function choiceLabel(approval: ApprovalRow, choice: string): string {
  switch (`${approval.kind}:${choice}`) {
    case 'dirty_tree:head':
      return vscode.l10n.t('Start from the last commit');
    case 'dirty_tree:snapshot':
      return vscode.l10n.t('Start from a snapshot of the tree as it is');
    case 'merge:merge':
      return vscode.l10n.t('Merge');
    case 'conflict:retry':
      return vscode.l10n.t('Try the merge again');
    case 'merge:branch':
    case 'conflict:branch':
      return vscode.l10n.t('Leave it on a branch of its own');
    case 'merge:patch':
    case 'conflict:patch':
      return vscode.l10n.t('Write a patch file');
    case 'limit:raise':
      return vscode.l10n.t('Raise Limit');
    case 'limit:double':
      return vscode.l10n.t('Double the limit');
    case 'definition:take_over':
      return vscode.l10n.t('Take It Over');
    case 'definition:put_back':
      return vscode.l10n.t('Put It Back');
    case 'project:try_again':
      return vscode.l10n.t('Try Again');
    case 'relay:nobody':
      return vscode.l10n.t('Nobody');
    default:
      return plainWords(choice);
  }
}

/** What goes with the answer; undefined: dismissed. */
async function words(approval: ApprovalRow): Promise<string | null | undefined> {
  if (approval.kind === 'stuck') return answer(approval);
  if (approval.kind !== 'task') return null;
  const text = await vscode.window.showInputBox({
    title: approval.question,
    prompt: vscode.l10n.t('What do you add? Later steps of the task may use it. May stay empty.'),
    ignoreFocusOut: true,
  });
  return text?.trim() === '' ? null : text;
}

/** What a stuck worker waits for; undefined: dismissed. */
async function answer(approval: ApprovalRow): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title: approval.question,
    prompt: plainWords(glance(approval.detail) || vscode.l10n.t('Your answer goes to the worker as it is.')),
    placeHolder: vscode.l10n.t('Your answer'),
    ignoreFocusOut: true,
  });
  if (text === undefined || text.trim() !== '') return text;
  void vscode.window.showInformationMessage(vscode.l10n.t('The worker waits for an answer.'));
  return undefined;
}
