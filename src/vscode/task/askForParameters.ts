/** Asks for the parameters of a template, one after the other. */
import * as vscode from 'vscode';
import type { TaskTemplate } from '../../shared/task/tasks.ts';
import { plainWords } from '../words/plainWords.ts';

export type Parameters = Readonly<Record<string, string | number | boolean>>;
type Parameter = TaskTemplate['parameters'][string];
type Value = string | number | boolean;

/** Returns null if dismissed. */
export async function askForParameters({ name, parameters }: TaskTemplate): Promise<Parameters | null> {
  const filled: Record<string, Value> = {};
  const all = Object.entries(parameters);
  for (const [at, [key, parameter]] of all.entries()) {
    const title = plainWords(vscode.l10n.t('{0}: {1} ({2} of {3})', name, key, at + 1, all.length));
    const value = await askFor(title, parameter);
    if (value === undefined) return null;
    filled[key] = value;
  }
  return filled;
}

async function askFor(title: string, parameter: Parameter): Promise<Value | undefined> {
  const { description, default: otherwise, choices } = parameter;
  const offered = choices ?? (typeof otherwise === 'boolean' ? [true, false] : null);
  if (offered !== null) {
    const inOrder = [...offered.filter((one) => one === otherwise), ...offered.filter((one) => one !== otherwise)];
    const items = inOrder.map((value) => ({ label: plainWords(String(value)), value }));
    const options = { title, placeHolder: plainWords(description), ignoreFocusOut: true };
    return (await vscode.window.showQuickPick<{ label: string; value: Value }>(items, options))?.value;
  }
  const typed = await vscode.window.showInputBox({
    title,
    prompt: plainWords(description),
    ignoreFocusOut: true,
    value: otherwise === undefined ? '' : String(otherwise),
    validateInput: (text) => refusal(text, otherwise),
  });
  return typeof otherwise === 'number' && typed !== undefined ? Number(typed) : typed;
}

function refusal(text: string, otherwise: Parameter['default']): string | null {
  if (typeof otherwise === 'number')
    return text.trim() !== '' && Number.isFinite(Number(text)) ? null : vscode.l10n.t('Type a number.');
  return otherwise === undefined && text.trim() === '' ? vscode.l10n.t('This must be given.') : null;
}
