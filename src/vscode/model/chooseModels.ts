/** *Choose Models…*: the model of one role or of all, from Anthropic and the user's connections, with price, context and last check. */
import * as vscode from 'vscode';
import { PRICES } from '../../core/money/price/prices.ts';
import type { ConnectionsApi } from '../../engine/workspace/connectionsApi.ts';
import { asFailure } from '../../shared/errors.ts';
import type { ListedModel } from '../../shared/model/connections.ts';
import { EFFORT_ROLES } from '../../shared/model/effort.ts';
import { setting } from '../settings/read.ts';
import type { ApiKey } from '../window/owner/key.ts';
import { plainWords } from '../words/plainWords.ts';

type Role = (typeof EFFORT_ROLES)[number];

interface ModelItem extends vscode.QuickPickItem {
  readonly model?: string;
}

export async function chooseModels(api: ConnectionsApi, key: ApiKey): Promise<void> {
  const roles = await askRoles();
  if (roles === undefined) return;
  const model = await askModel(api, key);
  if (model === undefined) return;
  const settings = vscode.workspace.getConfiguration('autonomous');
  for (const role of roles) await settings.update(`models.${role}`, model, vscode.ConfigurationTarget.Global);
  if (setting.provider() !== 'anthropic')
    await settings.update('provider', 'anthropic', vscode.ConfigurationTarget.Global);
  void vscode.window.showInformationMessage(plainWords(vscode.l10n.t('New jobs use {0}.', model)));
}

async function askRoles(): Promise<readonly Role[] | undefined> {
  const settings = vscode.workspace.getConfiguration('autonomous');
  const texts: Readonly<Record<Role, string>> = {
    planner: vscode.l10n.t('Planner'),
    worker: vscode.l10n.t('Worker'),
    reviewer: vscode.l10n.t('Reviewer'),
    summarizer: vscode.l10n.t('Summarizer'),
  };
  const items = [
    { label: vscode.l10n.t('All roles'), roles: EFFORT_ROLES },
    ...EFFORT_ROLES.map((role) => ({
      label: texts[role],
      description: settings.get<string>(`models.${role}`, ''),
      roles: [role],
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Whose model?'),
    ignoreFocusOut: true,
  });
  return picked?.roles;
}

async function askModel(api: ConnectionsApi, key: ApiKey): Promise<string | undefined> {
  const items = vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Reading the models of your connections…') },
    () => itemsOf(api, key),
  );
  const picked = await vscode.window.showQuickPick<ModelItem>(items, {
    title: vscode.l10n.t('Which model?'),
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  return picked?.model;
}

async function itemsOf(api: ConnectionsApi, key: ApiKey): Promise<ModelItem[]> {
  const { connections } = await api.list(key.ofConnection);
  const ofConnections = await Promise.all(
    connections.map(async ({ connection: { name, title } }) => [
      separator(`${title} (${name})`),
      ...(await modelItems(api, key, name)),
    ]),
  );
  return [separator('Anthropic'), ...builtIn(), ...ofConnections.flat()];
}

const separator = (label: string): ModelItem => ({ label, kind: vscode.QuickPickItemKind.Separator });

const builtIn = (): ModelItem[] =>
  Object.entries(PRICES.models).map(([model, tiers]) => ({
    label: model,
    description: priceText(tiers),
    detail: contextText(PRICES.windows?.[model] ?? null),
    model,
  }));

/** A server that does not answer has one line, which says so and cannot be chosen. */
async function modelItems(api: ConnectionsApi, key: ApiKey, name: string): Promise<ModelItem[]> {
  try {
    const models = await api.models(name, key.ofConnection);
    if (models.length === 0) return [{ label: vscode.l10n.t('{0} lists no models', name), alwaysShow: true }];
    return models.map(itemOf);
  } catch (thrown) {
    return [{ label: `$(warning) ${name}`, detail: plainWords(asFailure(thrown).message) }];
  }
}

function itemOf({ name, terms, isChecked }: ListedModel): ModelItem {
  const checked = isChecked ? vscode.l10n.t('checked today') : vscode.l10n.t('not checked yet');
  return {
    label: plainWords(name),
    description: priceText(terms.tiers),
    detail: [contextText(terms.window), checked].filter((part) => part !== '').join(' · '),
    model: name,
  };
}

function priceText(tiers: ListedModel['terms']['tiers']): string {
  const [first] = tiers ?? [];
  if (first === undefined) return vscode.l10n.t('no price: calls and tokens are limited');
  if (first.input === 0 && first.output === 0) return vscode.l10n.t('free');
  return vscode.l10n.t('{0} in, {1} out per million tokens', `$${first.input}`, `$${first.output}`);
}

const contextText = (window: number | null): string =>
  window === null ? '' : vscode.l10n.t('context of {0} tokens', `${Math.floor(window / 1_000)}k`);
