/** Shows failures of commands to the user, with the hint that fixes them. */
import * as vscode from 'vscode';
import { withoutSecrets } from '../../core/guard/secrets.ts';
import { blockersIn, type Remedy } from '../../core/workspace/notReady.ts';
import { asFailure, type ErrorCode } from '../../shared/errors.ts';
import type { CommandId } from '../words/commandList.ts';
import { plainWords } from '../words/plainWords.ts';
import { blockerIn } from './folder.ts';
import { offerQuickFix } from './quickFixes.ts';

interface Button {
  readonly title: () => string;
  readonly command: string;
  readonly args?: readonly string[];
}

/** Buttons of a check before filing. */
const SOLVED_BY: Readonly<Record<Remedy, Button>> = {
  set_key: { title: () => vscode.l10n.t('Set API Key'), command: 'autonomous.setApiKey' },
  choose_provider: { title: () => vscode.l10n.t('Choose Provider'), command: 'autonomous.chooseProvider' },
  set_model: {
    title: () => vscode.l10n.t('Choose Models'),
    command: 'workbench.action.openSettings',
    args: ['autonomous.models'],
  },
  set_base_url: {
    title: () => vscode.l10n.t('Change Base URL'),
    command: 'workbench.action.openSettings',
    args: ['autonomous.baseUrl'],
  },
  init_repository: { title: () => vscode.l10n.t('Initialize Repository'), command: 'git.init' },
  commit: { title: () => vscode.l10n.t('Commit All…'), command: 'git.commitAll' },
};

/** The button of a failure. */
const REMEDIES: Partial<Record<ErrorCode, Button>> = {
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

/** Logs what was thrown, without secrets and control characters. */
export function logThrown(log: Pick<vscode.LogOutputChannel, 'error'>, thrown: unknown): void {
  log.error(plainWords(clean(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown))));
}

/** Logs a failure and shows it. Does not wait until the user reads it. */
export function report(log: vscode.LogOutputChannel, thrown: unknown): void {
  const failed = asFailure(thrown);
  if (failed.code === 'ABORTED') return;
  logThrown(log, thrown);
  const blocker = blockerIn(failed);
  void (blocker === null ? offer(failureText(thrown), buttonsOf(thrown)) : offerQuickFix(blocker));
}

function buttonsOf(thrown: unknown): readonly Button[] {
  const failed = asFailure(thrown);
  const solved = blockersIn(failed)?.remedies.map((remedy) => SOLVED_BY[remedy]) ?? [];
  const otherwise = REMEDIES[failed.code] ?? { title: () => vscode.l10n.t('Show Log'), command: 'autonomous.showLog' };
  return solved.length === 0 ? [otherwise] : solved;
}

/** The failure and its hint, as sentences. */
export function failureText(thrown: unknown): string {
  const failed = asFailure(thrown);
  const { message, hint } = failed;
  const blockers = blockersIn(failed);
  if (blockers !== null) return clean([...blockers.problems.map(sentence), ...blockers.hints].join(' '));
  return clean([sentence(message), hint].filter((part) => part !== '').join(' '));
}

/** Failures are clauses, for logs and terminals; a window shows a sentence. */
function sentence(clause: string): string {
  const text = clause.trim();
  if (text === '') return '';
  const ended = /[.!?:…)]$/.test(text) ? text : `${text}.`;
  return ended.slice(0, 1).toLocaleUpperCase() + ended.slice(1);
}

async function offer(text: string, buttons: readonly Button[]): Promise<void> {
  const chosen = await vscode.window.showErrorMessage(plainWords(text), ...buttons.map(({ title }) => title()));
  const pressed = buttons.find(({ title }) => title() === chosen);
  if (pressed !== undefined) await vscode.commands.executeCommand(pressed.command, ...(pressed.args ?? []));
}

/** Registers handlers by command, and reports what they throw. */
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
