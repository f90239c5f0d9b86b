/** What a task will do outside of itself, shown and agreed to before its first start: its text may be somebody else's. */
import * as vscode from 'vscode';
import type { TaskEffects } from '../../core/tasks/effects.ts';
import { plainWords } from '../plainWords.ts';

/** Of each kind; a task may have a thousand. */
const MOST = 12;
const LONGEST = 300;

/** True where there is nothing to agree to. */
export async function effectsAgreed(name: string, effects: TaskEffects): Promise<boolean> {
  const detail = effectsText(effects);
  if (detail === '') return true;
  const start = { title: vscode.l10n.t('Start Task') };
  const keep = { title: vscode.l10n.t('Do Not Start'), isCloseAffordance: true };
  const pressed = await vscode.window.showWarningMessage(
    plainWords(vscode.l10n.t('Start "{0}"? It will do more than ask the language model:', name)),
    { modal: true, detail: plainWords(detail) },
    start,
    keep,
  );
  return pressed === start;
}

/** Empty: nothing. */
function effectsText({ commands, hosts, briefs, actions }: TaskEffects): string {
  const parts = [
    listed(vscode.l10n.t('Commands, in the sandbox and in a clone of its own:'), commands),
    listed(vscode.l10n.t('Fetches from:'), hosts),
    listed(vscode.l10n.t('Briefs, each a job of its own:'), briefs),
    listed(vscode.l10n.t('Actions of other extensions:'), actions),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function listed(title: string, all: readonly string[]): string {
  if (all.length === 0) return '';
  const lines = all.slice(0, MOST).map((one) => `• ${one.length <= LONGEST ? one : `${one.slice(0, LONGEST)}…`}`);
  const rest = all.length > MOST ? [vscode.l10n.t('… and {0} more', all.length - MOST)] : [];
  return [title, ...lines, ...rest].join('\n');
}
