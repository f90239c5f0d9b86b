/** *Add Model Connection…*: a preset, its address and its key, and what the check of the server says. */
import * as vscode from 'vscode';
import type { ConnectionsApi } from '../../engine/workspace/connectionsApi.ts';
import { asFailure, messageOf } from '../../shared/errors.ts';
import {
  baseFault,
  connectionName,
  type ListedConnections,
  type NewConnection,
  storedKeyName,
} from '../../shared/model/connections.ts';
import type { ApiKey } from '../window/owner/key.ts';
import { plainWords } from '../words/plainWords.ts';

type Preset = ListedConnections['presets'][number];

/** Nothing is written until every question was answered. */
export async function addConnection(api: ConnectionsApi, key: ApiKey): Promise<void> {
  const { presets, connections } = await api.list(key.ofConnection);
  const preset = await askPreset(presets);
  if (preset === undefined) return;
  const taken = new Set(connections.map(({ connection }) => connection.name));
  const name = await askName(preset, taken);
  if (name === undefined) return;
  const baseUrl = await askBase(preset);
  if (baseUrl === undefined) return;
  const entry: NewConnection = {
    ...(name === preset.name && !taken.has(name) ? {} : { preset: preset.name }),
    ...(baseUrl === preset.baseUrl && !taken.has(name) ? {} : { baseUrl }),
  };
  const typed = preset.needsKey ? await askKey(preset) : '';
  if (typed === undefined) return;
  try {
    const { connection } = await api.add(name, entry);
    if (typed !== '') await key.storeFor(storedKeyName(connection), typed);
  } catch (thrown) {
    void vscode.window.showErrorMessage(
      plainWords(vscode.l10n.t('The connection was not added: {0}', messageOf(thrown))),
    );
    return;
  }
  await sayChecked(api, name, key);
}

async function askPreset(presets: readonly Preset[]): Promise<Preset | undefined> {
  const items = presets.map((preset) => ({
    label: preset.title,
    description: preset.name,
    detail: preset.baseUrl ?? preset.example ?? vscode.l10n.t('Your own address'),
    preset,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Which server answers the models?'),
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  return picked?.preset;
}

function askName({ name, title }: Preset, taken: ReadonlySet<string>): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Name of the connection to {0}', title),
    prompt: plainWords(vscode.l10n.t('Models are named with it: {0}/MODEL', name)),
    value: name,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const named = connectionName.safeParse(text);
      if (!named.success) return named.error.issues[0]?.message ?? '';
      if (!taken.has(text)) return undefined;
      return {
        message: vscode.l10n.t('This connection exists and will be changed.'),
        severity: vscode.InputBoxValidationSeverity.Warning,
      };
    },
  });
}

function askBase({ baseUrl, example, title }: Preset): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Address of {0}', title),
    value: baseUrl ?? example ?? 'https://',
    ignoreFocusOut: true,
    validateInput: (text) => baseFault(text) ?? undefined,
  });
}

function askKey({ title }: Preset): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Key for {0}', title),
    prompt: vscode.l10n.t(
      'The key is kept in the secret storage of this machine. Leave the field empty if the environment holds it.',
    ),
    password: true,
    ignoreFocusOut: true,
  });
}

/** The check sends no prompt and costs nothing. */
async function sayChecked(api: ConnectionsApi, name: string, key: ApiKey): Promise<void> {
  const { problem, isConfirmed } = await firstProblem(api, name, key);
  const choose = vscode.l10n.t('Choose Models…');
  const works = isConfirmed
    ? vscode.l10n.t('The connection {0} works.', name)
    : vscode.l10n.t(
        'The connection {0} is added. Its server answers; the first call shows whether it takes the key.',
        name,
      );
  const picked = await (problem === null
    ? vscode.window.showInformationMessage(plainWords(works), choose)
    : vscode.window.showWarningMessage(
        plainWords(vscode.l10n.t('The connection {0} is added, but cannot be used yet: {1}', name, problem)),
        choose,
      ));
  if (picked === choose) await vscode.commands.executeCommand('autonomous.chooseModels');
}

interface Found {
  readonly problem: string | null;
  /** Whether the server accepted the key. */
  readonly isConfirmed: boolean;
}

async function firstProblem(api: ConnectionsApi, name: string, key: ApiKey): Promise<Found> {
  try {
    const checks = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Checking the connection {0}…', name) },
      () => api.check(name, key.ofConnection),
    );
    const bad = checks.find(({ ok }) => !ok);
    const problem = bad === undefined ? null : [bad.detail, bad.fix].filter((part) => part !== '').join('. ');
    return { problem, isConfirmed: checks.every(({ isUnknown }) => isUnknown !== true) };
  } catch (thrown) {
    return { problem: asFailure(thrown).message, isConfirmed: false };
  }
}
