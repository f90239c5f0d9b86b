/** Chooses which agent does which work: for a role of all new jobs, or for one pending feature. */
import * as vscode from 'vscode';
import { BUILT_IN, EXECUTOR_ROLES, type ExecutorRole } from '../../shared/agent/executors.ts';
import type { FeatureRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { setting } from '../settings/read.ts';
import { given } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import { plainWords } from '../words/plainWords.ts';
import { agentName, roleName } from './agentWords.ts';
import { pickAgent } from './pickAgent.ts';

interface Row extends vscode.QuickPickItem {
  choose?(): Promise<void>;
}

export async function chooseAgent(context: HostContext, target: unknown): Promise<void> {
  await context.engine.open();
  const { features } = context.engine.state;
  const named = features.get(Number(given(target, 'featureId')));
  if (named !== undefined) return chooseForFeature(context, named);
  const title = vscode.l10n.t('What should an agent be chosen for?');
  const row = await vscode.window.showQuickPick<Row>(rowsFor(context), {
    title,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  await row?.choose?.();
}

function rowsFor(context: HostContext): Row[] {
  const chosen = setting.executors();
  const { Separator } = vscode.QuickPickItemKind;
  const waiting = pendingFeatures(context.engine.state);
  return [
    { label: vscode.l10n.t('All new jobs'), kind: Separator },
    ...EXECUTOR_ROLES.map((role) => ({
      label: roleName(role),
      description: agentName(context.agents, chosen[role] ?? BUILT_IN),
      choose: () => chooseForRole(context, role),
    })),
    ...(waiting.length === 0 ? [] : [{ label: vscode.l10n.t('Pending features'), kind: Separator }]),
    ...waiting.map((feature) => ({
      label: plainWords(feature.name),
      description: feature.executors?.map((name) => agentName(context.agents, name)).join(', ') ?? '',
      choose: () => chooseForFeature(context, feature),
    })),
  ];
}

function pendingFeatures({ features }: State): FeatureRow[] {
  return [...features.values()].filter(({ status, job_id }) => status === 'pending' && job_id !== null);
}

async function chooseForRole({ agents }: HostContext, role: ExecutorRole): Promise<void> {
  const before = setting.executors();
  const title = vscode.l10n.t('{0} of new jobs', roleName(role));
  const picked = await pickAgent({ agents }, { title, now: [before[role] ?? BUILT_IN], several: false });
  const [name] = picked ?? [];
  if (name === undefined) return;
  const { [role]: _, ...rest } = setting.executors();
  const executors = name === BUILT_IN ? rest : { ...rest, [role]: name };
  await vscode.workspace
    .getConfiguration('autonomous')
    .update('executors', executors, vscode.ConfigurationTarget.Global);
}

async function chooseForFeature({ agents, engine }: HostContext, feature: FeatureRow): Promise<void> {
  const { id: featureId, name, status, executors } = feature;
  const isUnderWay = [...engine.state.attempts.values()].some(
    (attempt) => attempt.feature_id === featureId && attempt.status === 'running',
  );
  if (isUnderWay || status === 'completed' || status === 'failed') {
    const text = vscode.l10n.t('Only a pending feature can be given to another agent: {0}', name);
    void vscode.window.showInformationMessage(plainWords(text));
    return;
  }
  const picked = await pickAgent(
    { agents },
    {
      title: vscode.l10n.t('Who works on {0}?', plainWords(name)),
      now: executors ?? [],
      otherwise: vscode.l10n.t('As set in its job'),
      several: true,
    },
  );
  if (picked !== undefined) await engine.request('chooseExecutors', { featureId, executors: picked && [...picked] });
}
