/** Shows all external effects of a task and asks for consent before its first start: its text may come from another author. */
import * as vscode from 'vscode';
import type { TaskEffects } from '../../core/task/script/effects.ts';
import type { World } from '../window/world.ts';
import { plainWords } from '../words/plainWords.ts';

/** Lines that fit into a dialog: the dialogs of some systems cannot be scrolled. */
const MOST_LINES = 20;
const MOST_CHARACTERS = 1_500;

/** Returns true if there is nothing to agree to. */
export async function effectsAgreed(
  { documents }: Pick<World, 'documents'>,
  name: string,
  effects: TaskEffects,
): Promise<boolean> {
  const detail = effectsText(effects);
  if (detail === '') return true;
  const start = { title: vscode.l10n.t('Start Task') };
  const keep = { title: vscode.l10n.t('Do Not Start'), isCloseAffordance: true };
  if (detail.split('\n').length > MOST_LINES || detail.length > MOST_CHARACTERS) {
    await documents.show('start.txt', plainWords(detail));
    const pressed = await vscode.window.showWarningMessage(
      plainWords(vscode.l10n.t('Start "{0}"? Its effects are listed in the open editor.', name)),
      start,
      keep,
    );
    return pressed === start;
  }
  const pressed = await vscode.window.showWarningMessage(
    plainWords(vscode.l10n.t('Start "{0}"? This task will also:', name)),
    { modal: true, detail: plainWords(detail) },
    start,
    keep,
  );
  return pressed === start;
}

/** Returns an empty string if there are no effects. */
function effectsText({ grants, commands, hosts, briefs, actions }: TaskEffects): string {
  const listed = (title: string, all: readonly string[]): readonly string[] =>
    all.length === 0 ? [] : [[title, ...all.map((one) => `• ${one}`)].join('\n')];
  return [
    ...listed(vscode.l10n.t('Gates, ways of merging and budgets that it sets for its jobs:'), grants),
    ...listed(vscode.l10n.t('Commands, in the sandbox and in a separate clone:'), commands),
    ...listed(vscode.l10n.t('Fetches from:'), hosts),
    ...listed(vscode.l10n.t('Briefs, each a separate job:'), briefs),
    ...listed(vscode.l10n.t('Actions of other extensions:'), actions),
  ].join('\n\n');
}
