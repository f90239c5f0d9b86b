/** Tells the steward what waits, one notification per batch, and takes the answers. A question waits until it is answered. */
import * as vscode from 'vscode';
import { glance, pendingApprovals, untold } from '../../core/stewardship.ts';
import type { ApprovalRow } from '../../shared/domain.ts';
import type { HostContext } from '../context.ts';
import { approvalOf } from '../review/commitUri.ts';
import { setting } from '../settings/read.ts';
import { approve, reject } from './approve.ts';
import { given, registerCommand, told } from './command.ts';

/** `autonomous.approve` and `.reject` take an approval's id, `{approvalId}`, a document of the review, or nothing: then it is asked. */
export function registerStewardship(context: HostContext): vscode.Disposable {
  const notified = new Set<number>();
  const tell = (): void => {
    // Where nothing may run nobody is asked to let it.
    if (context.engine.hindrance !== null || !setting.notifies('approvals')) return;
    const batch = untold(context.engine.state, notified);
    for (const { id } of batch) notified.add(id);
    // Not awaited: it stays until somebody answers it.
    if (batch.length > 0) void told(context, () => notify(context, batch));
  };
  tell();
  return vscode.Disposable.from(
    context.engine.onDidChange(tell),
    registerCommand(context, 'autonomous.approve', async (target, more) => {
      const id = await approvalFor(context, target, vscode.l10n.t('Approve'));
      if (id !== null) await approve(context, id, answerOf(more ?? target));
    }),
    registerCommand(context, 'autonomous.reject', async (target) => {
      const id = await approvalFor(context, target, vscode.l10n.t('Reject'));
      if (id !== null) await reject(context, id);
    }),
  );
}

async function notify(context: HostContext, batch: readonly ApprovalRow[]): Promise<void> {
  const [only] = batch;
  if (only !== undefined && batch.length === 1) return notifyOne(context, only);
  const show = vscode.l10n.t('Show');
  const text = vscode.l10n.t('{0} approvals wait', batch.length);
  if ((await vscode.window.showInformationMessage(text, show)) !== show) return;
  const id = await pickApproval(context, vscode.l10n.t('What waits for you'));
  const row = id === null ? undefined : context.engine.state.approvals.get(id);
  if (row !== undefined) await offer(context, row);
}

interface Act {
  readonly label: string;
  run(): Promise<void>;
}

function actsFor(context: HostContext, row: ApprovalRow): Act[] {
  const acts: Act[] = [];
  if (row.commit !== null) {
    acts.push({
      label: vscode.l10n.t('Review Changes'),
      run: async () => {
        await vscode.commands.executeCommand('autonomous.reviewChanges', row.id);
      },
    });
  }
  if (row.kind === 'provider' && /:KEY_/.test(row.subject)) {
    acts.push({
      label: vscode.l10n.t('Set API Key'),
      run: async () => {
        await vscode.commands.executeCommand('autonomous.setApiKey');
        await notifyOne(context, row);
      },
    });
  }
  if (row.kind === 'plan') {
    acts.push({
      label: vscode.l10n.t('Open Plan'),
      run: async () => {
        await vscode.commands.executeCommand('autonomous.editPlan', row.job_id);
      },
    });
  }
  acts.push(
    {
      label: row.kind === 'stuck' ? vscode.l10n.t('Answer…') : vscode.l10n.t('Approve'),
      run: () => approve(context, row.id),
    },
    { label: vscode.l10n.t('Reject…'), run: () => reject(context, row.id) },
  );
  return acts;
}

async function notifyOne(context: HostContext, row: ApprovalRow): Promise<void> {
  const acts = actsFor(context, row);
  const text = titled(context, row);
  const label = await vscode.window.showInformationMessage(text, ...acts.map((act) => act.label));
  await acts.find((act) => act.label === label)?.run();
}

/** The same acts from a list, where several questions wait. */
async function offer(context: HostContext, row: ApprovalRow): Promise<void> {
  const act = await vscode.window.showQuickPick(actsFor(context, row), { title: titled(context, row) });
  await act?.run();
}

function titled(context: HostContext, row: ApprovalRow): string {
  const title = context.engine.state.jobs.get(row.job_id)?.title;
  return title === undefined ? row.question : `${title}: ${row.question}`;
}

/** null: there is none, which is said, or the choice was dismissed. */
async function approvalFor(context: HostContext, target: unknown, title: string): Promise<number | null> {
  const id = typeof target === 'number' ? target : given(target, 'approvalId');
  if (typeof id === 'number') return id;
  const uri = target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
  const reviewed = uri === undefined ? null : approvalOf(uri);
  if (reviewed !== null) return reviewed;
  return pickApproval(context, title);
}

async function pickApproval(context: HostContext, title: string): Promise<number | null> {
  await context.engine.open();
  const rows = pendingApprovals(context.engine.state);
  if (rows.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing waits for you.'));
    return null;
  }
  const items = rows.map((row) => ({
    label: row.question,
    description: context.engine.state.jobs.get(row.job_id)?.title ?? row.job_id,
    detail: glance(row.detail),
    id: row.id,
  }));
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.id ?? null;
}

interface Given {
  readonly choice: string | null;
  readonly first: string | null;
  readonly feedback: string | null;
}

/** What a card already asked: its choice, or what to offer first, and its words. */
function answerOf(arg: unknown): Given {
  const [choice, first, feedback] = [given(arg, 'choice'), given(arg, 'first'), given(arg, 'feedback')];
  return {
    choice: typeof choice === 'string' ? choice : null,
    first: typeof first === 'string' ? first : null,
    feedback: typeof feedback === 'string' && feedback.trim() !== '' ? feedback : null,
  };
}
