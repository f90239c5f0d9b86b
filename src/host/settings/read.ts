/** The settings, as the engine takes them. */
import * as vscode from 'vscode';
import type { WishInput } from '../../engine/api.ts';
import type { Gate, MergeMode, ProviderName } from '../../shared/domain.ts';

function read<T>(name: string, otherwise: T): T {
  return vscode.workspace.getConfiguration('autonomous').get<T>(name, otherwise);
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
  notifies: (): boolean => read('notifications', 'all') === 'all',
};

/** What a brief gets from the settings where its writer said nothing else; models and limits are those of its provider. */
export function briefDefaults(provider = setting.provider()): Omit<WishInput<'submitBrief'>, 'brief'> {
  const budgetUsd = read<number>('limits.jobUsd', 10);
  return {
    gates: read<Gate[]>('gates', ['plan', 'merge']),
    mergeMode: read<MergeMode>('mergeMode', 'merge'),
    provider,
    models: models(provider),
    ...(provider === 'vscode-lm' ? { unpricedLimits: unpricedLimits() } : {}),
    budgetMicroUsd: budgetUsd === 0 ? null : Math.round(budgetUsd * 1e6),
    batch: read('batch', 3),
    reviewEachFeature: read('reviewEachFeature', false),
    allowedCommands: read<string[][]>('allowedCommands', []),
  };
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
