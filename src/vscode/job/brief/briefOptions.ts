/** The options of a brief, and their text. */
import * as vscode from 'vscode';
import type { RequestInput } from '../../../engine/state/api.ts';
import type { Executors } from '../../../shared/agent/executorSchemas.ts';
import { BUILT_IN } from '../../../shared/agent/executors.ts';
import type { Gate, MergeMode } from '../../../shared/job/rows.ts';
import type { ProviderName } from '../../../shared/model/models.ts';
import { DEFAULT_PROJECT } from '../../../shared/project/projects.ts';
import { executorsText } from '../../agent/agentWords.ts';
import type { KnownAgents } from '../../window/context.ts';
import { plainWords } from '../../words/plainWords.ts';

/** Only what differs from the settings. */
export type BriefOptions = Pick<
  RequestInput<'submitBrief'>,
  'gates' | 'budgetMicroUsd' | 'mergeMode' | 'provider' | 'executors' | 'project'
>;

/** Options that the brief leaves open come from the settings. */
export function withSettings(chosen: BriefOptions): BriefOptions {
  const settings = vscode.workspace.getConfiguration('autonomous');
  const usd = settings.get<number>('limits.jobUsd', 10);
  return {
    gates: settings.get<Gate[]>('gates', ['plan', 'merge']),
    mergeMode: settings.get<MergeMode>('mergeMode', 'merge'),
    provider: settings.get<ProviderName>('provider', 'anthropic'),
    budgetMicroUsd: usd === 0 ? null : Math.round(usd * 1e6),
    ...chosen,
    executors: { ...settings.get<Executors>('executors', {}), ...chosen.executors },
  };
}

/** One line for the lens above the brief. Names projects only if there is a choice, and agents only if they are not the built-in one. */
export function optionsLine(chosen: BriefOptions, projects: readonly string[], agents: KnownAgents): string {
  const { gates, budgetMicroUsd, mergeMode, provider, executors = {} } = withSettings(chosen);
  const hasOthers = Object.values(executors).some((name) => name !== BUILT_IN);
  return [
    ...(projects.length > 1 ? [projectText(chosen.project ?? DEFAULT_PROJECT)] : []),
    gatesText(gates ?? []),
    budgetText(budgetMicroUsd),
    modeText(mergeMode),
    providerText(provider),
    ...(hasOthers ? [executorsText(agents, executors)] : []),
  ].join(' · ');
}

const projectText = (project: string): string => vscode.l10n.t('project: {0}', plainWords(project));

export function gatesText(gates: readonly Gate[]): string {
  const words: Record<Gate, string> = {
    plan: vscode.l10n.t('plan'),
    phase: vscode.l10n.t('phase'),
    merge: vscode.l10n.t('merge'),
  };
  if (gates.length === 0) return vscode.l10n.t('no gates');
  return vscode.l10n.t('gates: {0}', gates.map((gate) => words[gate]).join(', '));
}

export function budgetText(budget: number | null | undefined): string {
  if (budget === null || budget === undefined) return vscode.l10n.t('no budget');
  const usd = budget / 1e6;
  // Shows micro-USD if cents would round the amount.
  return vscode.l10n.t('up to {0} USD', Number.isInteger(budget / 10_000) ? usd.toFixed(2) : String(usd));
}

export function modeText(mode: MergeMode | undefined): string {
  switch (mode) {
    case 'branch':
      return vscode.l10n.t('leave it on a branch');
    case 'patch':
      return vscode.l10n.t('write a patch file');
    case 'merge':
    case undefined:
      return vscode.l10n.t('merge');
  }
}

export function providerText(provider: ProviderName | undefined): string {
  switch (provider) {
    case 'simulated':
      return vscode.l10n.t('simulation');
    case 'vscode-lm':
      return vscode.l10n.t('models of the editor');
    case 'anthropic':
    case undefined:
      return 'Anthropic';
  }
}
