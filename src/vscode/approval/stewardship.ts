/** Notifies the steward of pending approvals, one notification per batch, and takes the answers. Each question stays pending until it is answered. */
import * as vscode from 'vscode';
import { failureAsked } from '../../core/approval/about.ts';
import { openQuestions, sameCause, untold, waitingFor } from '../../core/approval/sameCause.ts';
import { glance, questionKey } from '../../core/approval/stewardship.ts';
import type { ApprovalRow } from '../../shared/approval.ts';
import { setting } from '../settings/read.ts';
import { given, registerCommand, withErrorMessage } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import { plainWords } from '../words/plainWords.ts';
import { approve, reject } from './answers.ts';
import { choiceLabel } from './choiceLabel.ts';
import { registerDefinitionDiffs } from './definitionDiff.ts';
import { type Act, projectActs } from './projectActs.ts';
import { namedQuestion, nameOf } from './question.ts';
import { registerQuestionTexts } from './questionTexts.ts';
import { questionAt } from './review/commitUri.ts';

const MOST_SAID = 300;

/** `autonomous.approve` and `.reject` take an approval's id, `{approvalId, jobId?}`, a document of the review, or nothing: then they ask. */
export function registerStewardship(context: HostContext): vscode.Disposable {
  const notified = new Set<string>();
  const notifyNew = (): void => {
    // A window that may not run anything asks no questions.
    if (context.engine.blocker !== null || !setting.notifies('approvals')) return;
    const batch = untold(context.engine.state, notified);
    for (const { row, others } of openQuestions(context.engine.state))
      for (const one of [row, ...others]) notified.add(questionKey(one));
    const rows = batch.map(({ row }) => row);
    // Not awaited: the notification stays until the user answers.
    if (rows.length > 0) void withErrorMessage(context, () => notify(context, rows));
  };
  notifyNew();
  return vscode.Disposable.from(
    context.engine.onDidChange(notifyNew),
    registerQuestionTexts(context),
    registerDefinitionDiffs(context),
    registerCommand(context, 'autonomous.approve', async (target, more) => {
      const row = await approvalFor(context, target, vscode.l10n.t('Approve'));
      if (row !== null) await approve(context, row, answerOf(more ?? target));
    }),
    registerCommand(context, 'autonomous.rules', async () => (await import('./rules.ts')).showRules(context.engine)),
    registerCommand(context, 'autonomous.reject', async (target) => {
      const row = await approvalFor(context, target, vscode.l10n.t('Reject'));
      if (row !== null) await reject(context, row);
    }),
  );
}

async function notify(context: HostContext, batch: readonly ApprovalRow[]): Promise<void> {
  const [only] = batch;
  if (only !== undefined && batch.length === 1) return notifyOne(context, only);
  const show = vscode.l10n.t('Show');
  const text = vscode.l10n.t('{0} approvals pending', batch.length);
  if ((await vscode.window.showInformationMessage(plainWords(text), show)) !== show) return;
  const row = await pickApproval(context, vscode.l10n.t('Needs your input'));
  if (row !== null) await offer(context, row);
}

function actsFor(context: HostContext, row: ApprovalRow): Act[] {
  const acts: Act[] = [];
  const ofProject = projectActs(context, row);
  if (ofProject !== null) return ofProject;
  const code = failureAsked(row);
  if (row.commit !== null || row.kind === 'pick') {
    acts.push({
      label: row.kind === 'pick' ? vscode.l10n.t('Compare') : vscode.l10n.t('Review Changes'),
      run: async () => {
        await vscode.commands.executeCommand('autonomous.reviewChanges', nameOf(row));
      },
    });
  }
  if (code?.startsWith('AGENT_') === true) {
    acts.push({
      label: vscode.l10n.t('Show Agents'),
      run: async () => {
        await vscode.commands.executeCommand('autonomous.showAgents');
        await notifyOne(context, row);
      },
    });
  }
  if (code?.startsWith('KEY_') === true) {
    acts.push({
      label: vscode.l10n.t('Set API Key'),
      run: async () => {
        await vscode.commands.executeCommand('autonomous.setApiKey');
        await notifyOne(context, row);
      },
    });
  }
  if (row.task_id !== null) {
    const target = { taskId: row.task_id };
    acts.push({
      label: vscode.l10n.t('Show'),
      run: async () => {
        await vscode.commands.executeCommand('autonomous.showTask', target);
      },
    });
  }
  if (row.kind === 'plan') {
    acts.push({
      label: vscode.l10n.t('Open Plan'),
      run: async () => {
        await vscode.commands.executeCommand('autonomous.showPlan', row.job_id);
      },
    });
  }
  acts.push(
    { label: answerLabel(row), run: () => approve(context, row, { choice: onlyChoice(row) }) },
    { label: vscode.l10n.t('Reject…'), run: () => reject(context, row) },
  );
  return acts;
}

/** If there is only one choice, the button names it and pressing it is the whole answer. */
function onlyChoice({ kind, choices }: ApprovalRow): string | null {
  // The user picks a candidate from the list that names its agent.
  return choices.length === 1 && kind !== 'pick' ? (choices[0] ?? null) : null;
}

/** Commands are shown in full before they are approved. */
function answerLabel(row: ApprovalRow): string {
  const { kind } = row;
  const only = onlyChoice(row);
  if (only !== null) return choiceLabel(row, only);
  if (kind === 'pick') return vscode.l10n.t('Pick…');
  if (kind === 'stuck') return vscode.l10n.t('Answer…');
  if (kind === 'provider') return vscode.l10n.t('Try Again');
  return kind === 'command' || kind === 'setup' ? vscode.l10n.t('Show…') : vscode.l10n.t('Approve');
}

async function notifyOne(context: HostContext, row: ApprovalRow): Promise<void> {
  const acts = actsFor(context, row);
  const text = titled(context, row);
  const label = await vscode.window.showInformationMessage(plainWords(text), ...acts.map((act) => act.label));
  await acts.find((act) => act.label === label)?.run();
}

/** Offers the same actions in a list, for several pending questions. */
async function offer(context: HostContext, row: ApprovalRow): Promise<void> {
  const act = await vscode.window.showQuickPick(actsFor(context, row), {
    title: titled(context, row),
    ignoreFocusOut: true,
  });
  await act?.run();
}

/** The subjects of all pending questions with the same cause. */
function aboutAll({ engine }: HostContext, row: ApprovalRow): string {
  return waitingFor(engine.state, row, sameCause(engine.state, row)).join(', ');
}

function titled(context: HostContext, row: ApprovalRow): string {
  const title = aboutAll(context, row);
  // Titles are often sentences: remove the full stop before the colon.
  const asked = `${title.replace(/[.:]+$/, '')}: ${row.question}`;
  return row.kind === 'relay' ? `${asked} ${vscode.l10n.t('Message: {0}', shortened(row.detail))}` : asked;
}

/** A message, cut to fit into a notification. */
function shortened(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length <= MOST_SAID ? line : `${line.slice(0, MOST_SAID)}…`;
}

/** Returns null if the choice was dismissed, or if there is no question, which is shown. */
async function approvalFor(context: HostContext, target: unknown, title: string): Promise<ApprovalRow | null> {
  await context.engine.open();
  const named = namedQuestion(context.engine.state, target);
  if (named !== undefined) return named;
  const uri = target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
  const reviewed = uri === undefined ? null : questionAt(context.engine.state, uri);
  return reviewed ?? pickApproval(context, title);
}

async function pickApproval(context: HostContext, title: string): Promise<ApprovalRow | null> {
  await context.engine.open();
  const rows = openQuestions(context.engine.state).map(({ row }) => row);
  if (rows.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing needs your input.'));
    return null;
  }
  const items = rows.map((row) => ({
    label: row.question,
    description: aboutAll(context, row),
    detail: glance(row.detail),
    row,
  }));
  return (
    (await vscode.window.showQuickPick(items, { title, matchOnDescription: true, ignoreFocusOut: true }))?.row ?? null
  );
}

interface Given {
  readonly choice: string | null;
  readonly first: string | null;
  readonly confirm: boolean;
}

/** The choice that a card already made, or the choice to offer first. */
function answerOf(arg: unknown): Given {
  const [choice, first] = [given(arg, 'choice'), given(arg, 'first')];
  return {
    choice: typeof choice === 'string' ? choice : null,
    first: typeof first === 'string' ? first : null,
    confirm: given(arg, 'confirm') === true,
  };
}
