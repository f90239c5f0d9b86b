/** Asks for the options of a brief one by one, from a list that shows their current values. */
import * as vscode from 'vscode';
import { isPriced } from '../../../core/money/price/unpriced.ts';
import type { Executors } from '../../../shared/agent/executorSchemas.ts';
import { BUILT_IN, EXECUTOR_ROLES } from '../../../shared/agent/executors.ts';
import { GATES, type Gate, MERGE_MODES } from '../../../shared/job/rows.ts';
import { PROVIDERS } from '../../../shared/model/models.ts';
import { DEFAULT_PROJECT } from '../../../shared/project/projects.ts';
import { agentName, executorsText, roleName } from '../../agent/agentWords.ts';
import type { KnownAgents } from '../../window/context.ts';
import { plainWords } from '../../words/plainWords.ts';
import { type BriefOptions, budgetText, gatesText, modeText, providerText, withSettings } from './briefOptions.ts';

interface Row extends vscode.QuickPickItem {
  /** Returns undefined if dismissed: nothing changes. */
  ask(): Promise<BriefOptions | undefined>;
}

/** `projects`: those that accept the brief. Asks until the list is dismissed, and calls `changed` after each choice. */
export async function askOptions(
  before: BriefOptions,
  projects: readonly string[],
  agents: KnownAgents,
  changed: (options: BriefOptions) => Promise<void>,
): Promise<void> {
  let chosen = before;
  for (;;) {
    const title = vscode.l10n.t('Options of this brief (Esc when done)');
    const row = await vscode.window.showQuickPick(rowsFor(chosen, projects, agents), { title, ignoreFocusOut: true });
    if (row === undefined) return;
    const answer = await row.ask();
    if (answer === undefined) continue;
    chosen = { ...chosen, ...answer };
    await changed(chosen);
  }
}

function rowsFor(chosen: BriefOptions, projects: readonly string[], agents: KnownAgents): Row[] {
  const now = withSettings(chosen);
  const project: Row = {
    label: vscode.l10n.t('Project'),
    description: plainWords(chosen.project ?? DEFAULT_PROJECT),
    ask: () => askProject(projects),
  };
  return [
    ...(projects.length > 1 ? [project] : []),
    { label: vscode.l10n.t('Gates'), description: gatesText(now.gates ?? []), ask: () => askGates(now.gates ?? []) },
    {
      label: vscode.l10n.t('Budget'),
      description: budgetText(now.budgetMicroUsd),
      ask: () => askBudget(now.budgetMicroUsd),
    },
    { label: vscode.l10n.t('Result'), description: modeText(now.mergeMode), ask: askMode },
    { label: vscode.l10n.t('Provider'), description: providerText(now.provider), ask: askProvider },
    {
      label: vscode.l10n.t('Agents'),
      description: executorsText(agents, now.executors ?? {}),
      ask: () => askExecutors(agents, now.executors ?? {}),
    },
  ];
}

async function askGates(now: readonly Gate[]): Promise<BriefOptions | undefined> {
  const words: Record<Gate, string> = {
    plan: vscode.l10n.t('Before the plan is carried out'),
    phase: vscode.l10n.t('After each approved phase'),
    merge: vscode.l10n.t('Before the result is merged'),
  };
  const items = GATES.map((gate) => ({ label: words[gate], picked: now.includes(gate), gate }));
  const title = vscode.l10n.t('At which gates should it wait for you?');
  const picked = await vscode.window.showQuickPick(items, { title, canPickMany: true, ignoreFocusOut: true });
  return picked === undefined ? undefined : { gates: picked.map((item) => item.gate) };
}

async function askBudget(now: number | null | undefined): Promise<BriefOptions | undefined> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Budget of this brief in USD'),
    prompt: vscode.l10n.t('Empty or 0: no job limit'),
    value: now === null || now === undefined ? '' : String(now / 1e6),
    ignoreFocusOut: true,
    validateInput: (typed) => (budgetOf(typed) === undefined ? vscode.l10n.t('An amount such as 2.50') : undefined),
  });
  const budgetMicroUsd = text === undefined ? undefined : budgetOf(text);
  return budgetMicroUsd === undefined ? undefined : { budgetMicroUsd };
}

/** Returns undefined if the text is not an amount. */
function budgetOf(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text.trim())) return undefined;
  // As in the settings, 0 means no limit.
  return Math.round(Number(text) * 1e6) || null;
}

async function askProject(names: readonly string[]): Promise<BriefOptions | undefined> {
  const items = names.map((name) => ({ label: plainWords(name), name }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Which project is it for?'),
    ignoreFocusOut: true,
  });
  return picked === undefined ? undefined : { project: picked.name };
}

async function askMode(): Promise<BriefOptions | undefined> {
  const items = MERGE_MODES.map((mergeMode) => ({ label: modeText(mergeMode), mergeMode }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('What should happen to the result?'),
    ignoreFocusOut: true,
  });
  return picked === undefined ? undefined : { mergeMode: picked.mergeMode };
}

async function askProvider(): Promise<BriefOptions | undefined> {
  // A provider without prices needs other limits, which are settings.
  const items = PROVIDERS.filter(isPriced).map((provider) => ({ label: providerText(provider), provider }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Which provider answers the model calls?'),
    ignoreFocusOut: true,
  });
  return picked === undefined ? undefined : { provider: picked.provider };
}

async function askExecutors(agents: KnownAgents, now: Executors): Promise<BriefOptions | undefined> {
  const items = EXECUTOR_ROLES.map((role) => ({
    label: roleName(role),
    description: agentName(agents, now[role] ?? BUILT_IN),
    role,
  }));
  const of = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Whose work should an agent do?'),
    ignoreFocusOut: true,
  });
  if (of === undefined) return undefined;
  const { pickAgent } = await import('../../agent/pickAgent.ts');
  const question = { title: of.label, now: [now[of.role] ?? BUILT_IN], several: false };
  const [name] = (await pickAgent({ agents }, question)) ?? [];
  return name === undefined ? undefined : { executors: { ...now, [of.role]: name } };
}
