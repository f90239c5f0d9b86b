/** The settings that the window reads. What completes a request is in `defaults.ts`. */
import * as vscode from 'vscode';
import type { RelayMode } from '../../core/project/relay.ts';
import type { Executors } from '../../shared/agent/executorSchemas.ts';
import type { ProviderName } from '../../shared/model/models.ts';

export function read<T>(name: string, otherwise: T): T {
  return vscode.workspace.getConfiguration('autonomous').get<T>(name, otherwise);
}

/** Returns null for 0, which means no limit. */
export function limit(name: string, otherwise: number): number | null {
  const usd = read(name, otherwise);
  return usd === 0 ? null : Math.round(usd * 1e6);
}

export const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

export const setting = {
  provider: (): ProviderName => read<ProviderName>('provider', 'anthropic'),
  baseUrl: (): string | null => textOrNull(read('baseUrl', '')) ?? process.env['ANTHROPIC_BASE_URL'] ?? null,
  jobsDir: (): string | null => textOrNull(read('jobsDir', '')) ?? process.env['AUTONOMOUS_JOBS_DIR'] ?? null,
  delayMs: (): number => read('simulated.delayMs', 400),
  verifyTimeoutMs: (): number => read('verifyMinutes', 10) * 60_000,
  resumeOnOpen: (): boolean => read('resumeOnOpen', true),
  keepAwake: (): boolean => read('keepAwake', true),
  statusBar: (): boolean => read('statusBar', true),
  noteLenses: (): boolean => read('notes.codeLens', false),
  badge: (): boolean => read('badge', true),
  confine: (): boolean => read<string>('sandbox', 'auto') !== 'off',
  concurrency: (): number => read('concurrentCalls', 4),
  idleMinutes: (): number => read('projects.idleMinutes', 240),
  clonesBytes: (): number => read('clonesGigabytes', 20) * 1e9,
  relay: (): RelayMode => read<RelayMode>('projects.relay', 'rules'),
  threadMb: (): number => read('projects.memoryMb', 1_024),
  executors: (): Executors => read<Executors>('executors', {}),
  tellsMessages: (): boolean => read('projects.notify', true) && read<string>('notifications', 'all') !== 'none',
  api: () => ({ enabled: read('api.enabled', false), port: read('api.port', 0) }),
  allowedHosts: (): readonly string[] => read<string[]>('tasks.allowedHosts', []),
  /** null for no limit. */
  dayMicroUsd: (): number | null => limit('limits.dayUsd', 0),
  osNotifications: (): boolean => read('osNotifications', false),
  notifies: (what: 'approvals' | 'failures' | 'results'): boolean => {
    const told = read<string>('notifications', 'all');
    return told === 'all' || (told === 'approvals' && what === 'approvals');
  },
};
