/** Approve and reject: asks for everything that an answer needs. A dismissed question is not an answer. */
import * as vscode from 'vscode';
import { sameCause } from '../../core/approval/sameCause.ts';
import { glance, needsAnswer, orderedChoices, planAsked, rejectionFeedback } from '../../core/approval/stewardship.ts';
import { withoutFiles } from '../../core/job/gate/phaseGate.ts';
import type { RequestInput } from '../../engine/state/api.ts';

import type { ApprovalKind, ApprovalRow } from '../../shared/approval.ts';
import type { State } from '../../shared/workspace/state.ts';
import type { HostContext } from '../window/context.ts';
import { plainWords } from '../words/plainWords.ts';
import { planUri } from '../words/planUri.ts';
import { commandsRead, executablesTicked, folderTrusted } from './beforeRunning.ts';
import { choiceLabel } from './choiceLabel.ts';
import { stillPending } from './question.ts';
import { remarksOf } from './review/remarks.ts';

/**
 * `choice` comes from a button that names it; null asks here, with `first` at the top of the list. `confirm` is set for a button in a page: such an
 * answer counts only after a dialog of the editor confirmed it.
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
  if (given.confirm === true && !isAsked && !(await confirmed(context, approval, choice))) return;
  const feedback = await wordsFor(context, approval);
  if (feedback === undefined) return;
  if (!(await executablesTicked(approval))) return;
  // The dialogs took time: the question may have been answered elsewhere.
  if ((await stillPending(context, approval)) === null) return;
  await decide(context, approval, { decision: 'approved', choice, feedback });
  remarksOf(context).clear(approval);
  // The plan opened automatically: show its progress on the board instead.
  if (planOf !== null && planIsInFront(planOf)) await vscode.commands.executeCommand('autonomous.openBoard');
}

function planIsInFront(jobId: string): boolean {
  return vscode.window.activeTextEditor?.document.uri.toString() === planUri(jobId).toString();
}

/** Saves the plan's document first, so that unsaved edits are part of the accepted plan. */
function planIsUnsaved(jobId: string): boolean {
  const uri = planUri(jobId).toString();
  return vscode.workspace.textDocuments.some((one) => one.isDirty && one.uri.toString() === uri);
}

/** Comments are sent only with a rejection. Asks whether the user approves without them. */
async function remarksGivenUp(context: HostContext, approval: ApprovalRow): Promise<boolean> {
  const { length } = remarksOf(context).of(approval);
  if (length === 0) return true;
  const go = vscode.l10n.t('Approve Without Comments');
  const pressed = await vscode.window.showWarningMessage(
    plainWords(vscode.l10n.t('If you approve, your review comments are not sent: {0}', length)),
    { modal: true, detail: vscode.l10n.t('They go with a rejection only. An approval deletes them.') },
    go,
  );
  return pressed === go;
}

/** A rejection of these kinds resumes no agent, so that no reason is asked for. */
const NEEDS_NO_REASON: readonly ApprovalKind[] = ['workdir', 'definition', 'relay', 'project'];

const refuse = (context: HostContext, approval: ApprovalRow): Promise<void> =>
  decide(context, approval, { decision: 'rejected', feedback: 'refused' });

type Decision = Pick<RequestInput<'decide'>, 'decision' | 'choice' | 'feedback'>;

/** Also answers the pending questions with the same cause. */
async function decide({ engine }: HostContext, approval: ApprovalRow, decision: Decision): Promise<void> {
  const also = sameCause(engine.state, approval).map(({ id }) => id);
  await engine.request('decide', { approvalId: approval.id, ...decision, also, by: 'steward' });
}

async function rejectionPrompt(state: State, approval: ApprovalRow, remarks: number): Promise<string> {
  const { refusalOf } = await import('../../core/approval/refusals.ts');
  const others = sameCause(state, approval).length;
  switch (refusalOf(state, approval)) {
    case 'ends':
      if (others > 0) return vscode.l10n.t('This ends all {0} jobs that need this answer. Why?', others + 1);
      return vscode.l10n.t('This ends the job. Why?');
    case 'pauses':
      return vscode.l10n.t('This pauses the job; its work is kept. Why?');
    case 'fails':
      return vscode.l10n.t('This marks the feature as failed; the job continues with the others. Why?');
    case 'drops':
      return vscode.l10n.t("This ends this agent's attempt. The other agents' attempts are kept. Why?");
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
    void vscode.window.showInformationMessage(vscode.l10n.t('A rejection needs a reason.'));
    return;
  }
  if ((await stillPending(context, approval)) === null) return;
  await decide(context, approval, { decision: 'rejected', feedback });
  remarksOf(context).clear(approval);
}

/** Returns undefined if dismissed. */
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

/** Kinds whose answer always opens a dialog or asks for text. */
const ASKS_BY_ITSELF: readonly ApprovalKind[] = ['command', 'setup', 'workdir', 'stuck', 'task'];

/**
 * For a plan: every phase and the commands that an approval permits. For a phase: the evidence and the features. Otherwise the most informative line
 * of the detail.
 */
function detailOf({ engine }: HostContext, approval: ApprovalRow): string {
  const asked = planAsked(engine.state, approval);
  if (asked === undefined) return approval.phase_id === null ? glance(approval.detail) : withoutFiles(approval.detail);
  const lines = asked.plan.phases.map(({ title, features }, at) =>
    vscode.l10n.t('{0}. {1} (features: {2})', at + 1, title, features.length),
  );
  const { setup = [] } = asked.plan;
  if (setup.length > 0) lines.push('', vscode.l10n.t('Setup commands that may then run:'), ...setup);
  return lines.join('\n');
}

async function confirmed(context: HostContext, approval: ApprovalRow, choice: string | null): Promise<boolean> {
  const go = choice === null ? vscode.l10n.t('Approve') : choiceLabel(approval, choice);
  const shown = { modal: true, detail: plainWords(detailOf(context, approval)) };
  return (await vscode.window.showWarningMessage(plainWords(approval.question), shown, go)) === go;
}

/** Asks for optional text of an approval. Returns null if there is none, undefined if the question was dismissed. */
export async function wordsFor(context: HostContext, approval: ApprovalRow): Promise<string | null | undefined> {
  if (approval.kind === 'stuck' || needsAnswer(approval)) return answer(context, approval);
  if (approval.kind !== 'task') return null;
  const text = await vscode.window.showInputBox({
    title: approval.question,
    prompt: vscode.l10n.t('What do you add? Later steps of the task may use it. May stay empty.'),
    ignoreFocusOut: true,
  });
  return text?.trim() === '' ? null : text;
}

/** Asks for the text of an answer. Returns null if the question needs none and none was given, undefined if it was dismissed. */
async function answer(context: HostContext, approval: ApprovalRow): Promise<string | null | undefined> {
  const isNeeded = needsAnswer(approval);
  const text = await vscode.window.showInputBox({
    title: approval.question,
    prompt: plainWords(askedIn(context, approval)),
    placeHolder: isNeeded ? vscode.l10n.t('Your answer') : vscode.l10n.t('Your answer (optional)'),
    ignoreFocusOut: true,
  });
  if (text === undefined || text.trim() !== '') return text;
  if (!isNeeded) return null;
  if (approval.kind === 'plan') {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The plan asks questions: an approval needs your answers.'),
    );
  } else if (approval.kind === 'escalate') {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The result fails: an approval needs your reason in words.'),
    );
  } else void vscode.window.showInformationMessage(vscode.l10n.t('The worker needs an answer.'));
  return undefined;
}

function askedIn({ engine }: HostContext, approval: ApprovalRow): string {
  const questions = planAsked(engine.state, approval)?.plan.questions ?? [];
  if (questions.length > 0) return questions.map((text, at) => `${at + 1}. ${text}`).join(' ');
  return glance(approval.detail) || vscode.l10n.t('Your answer is sent to the worker verbatim.');
}
