/** The settings, as the engine takes them. */
import * as vscode from 'vscode';
import type { WishInput } from '../../engine/api.ts';
import type { Gate, MergeMode, ProviderName } from '../../shared/domain.ts';
import { failure } from '../../shared/errors.ts';

function read<T>(name: string, otherwise: T): T {
  return vscode.workspace.getConfiguration('autonomous').get<T>(name, otherwise);
}

/** 0 is no limit. */
function limit(name: string, otherwise: number): number | null {
  const usd = read(name, otherwise);
  return usd === 0 ? null : Math.round(usd * 1e6);
}

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

export const setting = {
  provider: (): ProviderName => read<ProviderName>('provider', 'anthropic'),
  baseUrl: (): string | null => textOrNull(read('baseUrl', '')) ?? process.env['ANTHROPIC_BASE_URL'] ?? null,
  jobsDir: (): string | null => textOrNull(read('jobsDir', '')) ?? process.env['AUTONOMOUS_JOBS_DIR'] ?? null,
  delayMs: (): number => read('simulated.delayMs', 400),
  verifyTimeoutMs: (): number => read('verifyMinutes', 10) * 60_000,
  resumeOnOpen: (): boolean => read('resumeOnOpen', true),
  statusBar: (): boolean => read('statusBar', true),
  noteLenses: (): boolean => read('notes.codeLens', false),
  badge: (): boolean => read('badge', true),
  confine: (): boolean => read<string>('sandbox', 'auto') !== 'off',
  concurrency: (): number => read('concurrentCalls', 4),
  /** null: none. */
  dayMicroUsd: (): number | null => limit('limits.dayUsd', 0),
  notifies: (what: 'approvals' | 'failures' | 'results'): boolean => {
    const told = read<string>('notifications', 'all');
    return told === 'all' || (told === 'approvals' && what === 'approvals');
  },
};

/** What a brief gets from the settings where its writer said nothing else; models and limits are those of its provider. */
export function briefDefaults(provider = setting.provider()): Omit<WishInput<'submitBrief'>, 'brief'> {
  return {
    gates: read<Gate[]>('gates', ['plan', 'merge']),
    mergeMode: read<MergeMode>('mergeMode', 'merge'),
    provider,
    models: models(provider),
    ...(provider === 'vscode-lm' ? { unpricedLimits: unpricedLimits() } : {}),
    budgetMicroUsd: limit('limits.jobUsd', 10),
    attempt: {
      turns: read('limits.attemptTurns', 80),
      tokens: read('limits.attemptTokens', 4_000_000),
      seconds: read('limits.attemptMinutes', 60) * 60,
      microUsd: Math.round(read('limits.attemptUsd', 5) * 1e6),
    },
    maxRetries: read('limits.tries', 3),
    maxPhaseAttempts: read('limits.phaseTries', 3),
    batch: read('batch', 3),
    reviewEachFeature: read('reviewEachFeature', false),
    allowedCommands: read<string[][]>('allowedCommands', []),
  };
}

/** A brief with what its writer left to the settings. MODEL_NOT_CHOSEN: the editor's models have no default one. */
export function withDefaults(input: WishInput<'submitBrief'>): WishInput<'submitBrief'> {
  const filed = { ...briefDefaults(input.provider), ...input };
  if (filed.provider === 'vscode-lm' && Object.keys(filed.models ?? {}).length === 0) {
    throw failure('MODEL_NOT_CHOSEN', vscode.l10n.t('No language model of the editor is chosen.'), {
      hint: vscode.l10n.t('Run Choose Provider, and then start the brief again.'),
    });
  }
  return filed;
}

/** One for all roles in the editor's models; a role without a setting keeps the engine's default. */
function models(provider: ProviderName): NonNullable<WishInput<'submitBrief'>['models']> {
  const name = (role: string) => textOrNull(read(provider === 'vscode-lm' ? 'models.editor' : `models.${role}`, ''));
  const chosen = (['planner', 'worker', 'reviewer', 'summarizer'] as const).map((role) => [role, name(role)] as const);
  return Object.fromEntries(chosen.filter(([, model]) => model !== null));
}

function unpricedLimits(): { readonly calls: number; readonly tokens: number } {
  return { calls: read('limits.unpricedCalls', 500), tokens: read('limits.unpricedTokens', 20_000_000) };
}
