/** Commands whose failures reach the person who gave them, with what can be done about it. */
import * as vscode from 'vscode';
import { withoutSecrets } from '../core/secrets.ts';
import { asFailure, type ErrorCode } from '../shared/errors.ts';
import type { CommandId } from './contributions.ts';
import { plainWords } from './plainWords.ts';

/** What mends a failure, as a button. */
const REMEDIES: Partial<Record<ErrorCode, { readonly title: () => string; readonly command: string }>> = {
  KEY_MISSING: { title: () => vscode.l10n.t('Set API Key'), command: 'autonomous.setApiKey' },
  KEY_REFUSED: { title: () => vscode.l10n.t('Set API Key'), command: 'autonomous.setApiKey' },
  MODEL_NOT_CHOSEN: { title: () => vscode.l10n.t('Choose Provider'), command: 'autonomous.chooseProvider' },
  NOT_A_REPOSITORY: { title: () => vscode.l10n.t('Initialize Repository'), command: 'git.init' },
  SANDBOX_UNAVAILABLE: { title: () => vscode.l10n.t('Doctor'), command: 'autonomous.doctor' },
  AGENT_MISSING: { title: () => vscode.l10n.t('Show Agents'), command: 'autonomous.showAgents' },
  AGENT_LOGIN: { title: () => vscode.l10n.t('Show Agents'), command: 'autonomous.showAgents' },
  STATE_INCOMPLETE: { title: () => vscode.l10n.t('Restore Lost State…'), command: 'autonomous.restoreState' },
  OWNER_BUSY: { title: () => vscode.l10n.t('Take Over'), command: 'autonomous.takeOver' },
};

const clean = withoutSecrets();

/** Logs it and shows it; does not wait for its being read. */
export function report(log: vscode.LogOutputChannel, thrown: unknown): void {
  const { code } = asFailure(thrown);
  if (code === 'ABORTED') return;
  log.error(clean(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)));
  const remedy = REMEDIES[code] ?? { title: () => vscode.l10n.t('Show Log'), command: 'autonomous.showLog' };
  void offer(failureText(thrown), remedy.title(), remedy.command);
}

/** What failed and what can be done about it, as sentences. */
export function failureText(thrown: unknown): string {
  const { message, hint } = asFailure(thrown);
  return clean([sentence(message), hint].filter((part) => part !== '').join(' '));
}

/** Failures are clauses, for logs and terminals; a window shows a sentence. */
function sentence(clause: string): string {
  const text = clause.trim();
  if (text === '') return '';
  const ended = /[.!?:…)]$/.test(text) ? text : `${text}.`;
  return ended.slice(0, 1).toLocaleUpperCase() + ended.slice(1);
}

async function offer(text: string, title: string, command: string): Promise<void> {
  const chosen = await vscode.window.showErrorMessage(plainWords(text), title);
  if (chosen === title) await vscode.commands.executeCommand(command);
}

/** Registers handlers by command; what they throw is reported. */
export function registerCommands(
  log: vscode.LogOutputChannel,
  handlers: Partial<Record<CommandId, (...args: readonly unknown[]) => Promise<void>>>,
): vscode.Disposable {
  const registered = Object.entries(handlers).map(([id, handler]) =>
    vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
      try {
        await handler(...args);
      } catch (thrown) {
        report(log, thrown);
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}
