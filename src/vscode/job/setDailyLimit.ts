/** Asks how much all jobs of the workspace may cost in a day. */
import * as vscode from 'vscode';
import type { EngineHandle } from '../window/context.ts';

export async function setDailyLimit(engine: EngineHandle): Promise<void> {
  const now = engine.state.meta.limits.dayMicroUsd;
  const typed = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: vscode.l10n.t('Daily Limit'),
    prompt: vscode.l10n.t('Daily limit for all jobs of this workspace, in USD. Empty or 0: no limit.'),
    value: now === null ? '' : String(now / 1e6),
    validateInput: (text) =>
      /^\s*(\d+(\.\d{1,6})?)?\s*$/.test(text) ? null : vscode.l10n.t('Type an amount, e.g. 12.50.'),
  });
  if (typed === undefined) return;
  // As in the settings, 0 means no limit.
  const dayMicroUsd = Math.round(Number(typed) * 1e6) || null;
  await engine.request('setLimits', { dayMicroUsd });
}
