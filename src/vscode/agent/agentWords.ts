/** Formats the names and states of agents for lists. */
import * as vscode from 'vscode';
import type { Executors } from '../../shared/agent/executorSchemas.ts';
import { type AgentProbe, BUILT_IN, EXECUTOR_ROLES, type ExecutorRole } from '../../shared/agent/executors.ts';
import type { KnownAgents } from '../window/context.ts';
import { plainWords } from '../words/plainWords.ts';
import { titleOf } from './knownAgents.ts';

export function roleName(role: ExecutorRole): string {
  switch (role) {
    case 'planner':
      return vscode.l10n.t('Planner');
    case 'worker':
      return vscode.l10n.t('Worker');
    case 'reviewer':
      return vscode.l10n.t('Reviewer');
  }
}

export function agentName(agents: KnownAgents, name: string): string {
  return plainWords(name === BUILT_IN ? vscode.l10n.t('built-in agent') : titleOf(agents, name));
}

/** For example `Worker: Claude Code`. If only the built-in agent works, returns its name. */
export function executorsText(agents: KnownAgents, executors: Executors): string {
  const others = EXECUTOR_ROLES.flatMap((role) => {
    const name = executors[role];
    return name === undefined || name === BUILT_IN ? [] : [`${roleName(role)}: ${agentName(agents, name)}`];
  });
  return others.length === 0 ? agentName(agents, BUILT_IN) : others.join(', ');
}

export function stateName(state: AgentProbe['state']): string {
  switch (state) {
    case 'ready':
      return vscode.l10n.t('ready');
    case 'missing':
      return vscode.l10n.t('not installed');
    case 'login':
      return vscode.l10n.t('not signed in');
    case 'unusable':
      return vscode.l10n.t('cannot be used');
  }
}

/** Abilities and gaps that the check found, without those that `paidText` covers. */
export function abilityNames(words: readonly string[]): string[] {
  return words.flatMap((word) => {
    switch (word) {
      case 'priced by us':
        return [];
      case 'asks permission':
        return [vscode.l10n.t('asks permission')];
      case 'resumes':
        return [vscode.l10n.t('resumes')];
      default:
        return [plainWords(word)];
    }
  });
}

export function paidText({ priced }: Pick<AgentProbe, 'priced'>): string {
  return priced ? vscode.l10n.t('priced by Autonomous') : vscode.l10n.t('own account');
}
