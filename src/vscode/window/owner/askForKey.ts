/** The dialog for the API key of this user. */
import * as vscode from 'vscode';
import { isShortKey } from '../../../core/guard/knownSecrets.ts';
import type { ConnectionsApi } from '../../../engine/workspace/connectionsApi.ts';
import { messageOf } from '../../../shared/errors.ts';
import { storedKeyName } from '../../../shared/model/connections.ts';
import { setting } from '../../settings/read.ts';
import { plainWords } from '../../words/plainWords.ts';
import type { ApiKey } from './key.ts';

/** Keys of other providers may have another form. */
function asksAnthropic(): boolean {
  const baseUrl = setting.baseUrl();
  return baseUrl === null || (URL.canParse(baseUrl) && new URL(baseUrl).hostname.endsWith('anthropic.com'));
}

/** Asks whose key it is, if there are connections, and stores it. `connections`: null if this window may not read them. */
export async function askForKey(key: ApiKey, connections: Pick<ConnectionsApi, 'list'> | null): Promise<void> {
  const own = (await connections?.list(key.ofConnection))?.connections ?? [];
  const needing = own.filter((one) => one.key !== 'none');
  if (needing.length === 0) return askForAnthropic(key);
  const items = [
    { label: 'Anthropic', name: null },
    ...needing.map(({ connection }) => ({
      label: connection.title,
      description: connection.name,
      name: storedKeyName(connection),
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Whose API key?'),
    ignoreFocusOut: true,
  });
  if (picked === undefined) return;
  if (picked.name === null) return askForAnthropic(key);
  await askForConnection(key, picked.label, picked.name);
}

async function askForConnection(key: ApiKey, title: string, name: string): Promise<void> {
  const value = await typedKey(vscode.l10n.t('Key for {0}', title));
  if (value === undefined) return;
  try {
    await key.storeFor(name, value === '' ? null : value);
  } catch (thrown) {
    void vscode.window.showErrorMessage(
      plainWords(
        vscode.l10n.t('The key could not be stored: the keyring of this machine refused ({0}).', messageOf(thrown)),
      ),
    );
    return;
  }
  sayStored(value);
}

/** Asks for the key and stores it. */
async function askForAnthropic(key: ApiKey): Promise<void> {
  const value = await typedKey(vscode.l10n.t('Anthropic API Key'));
  if (value === undefined) return;
  try {
    await key.store(value === '' ? null : value);
  } catch (thrown) {
    const why = messageOf(thrown);
    void vscode.window.showErrorMessage(
      plainWords(
        vscode.l10n.t(
          'The key could not be stored: the keyring of this machine refused ({0}). Set the environment variable ANTHROPIC_API_KEY and restart the editor instead.',
          why,
        ),
      ),
    );
    return;
  }
  if (value !== '' && !value.startsWith('sk-ant-') && asksAnthropic()) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('The API key is stored, but it does not look valid: Anthropic keys start with sk-ant-.'),
    );
    return;
  }
  if (isShortKey(value)) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'The API key is stored. It is too short to be taken out of logs, transcripts and exports: fine for a dummy key of a local server, not for a real one.',
      ),
    );
    return;
  }
  sayStored(value);
}

/** Undefined if the person left the dialog, empty to delete the key. */
async function typedKey(title: string): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t(
      'The key is kept in the secret storage of this machine. Leave the field empty to delete the stored key.',
    ),
    password: true,
    ignoreFocusOut: true,
  });
  return typed?.trim();
}

function sayStored(value: string): void {
  const said =
    value === '' ? vscode.l10n.t('The stored API key is forgotten.') : vscode.l10n.t('The API key is stored.');
  void vscode.window.showInformationMessage(plainWords(said));
}
