/** Facts for a report of a fault; nothing that names the person, the machine or the work. */
import * as vscode from 'vscode';
import type { HostContext } from '../window/context.ts';
import type { World } from '../window/world.ts';

const COUNTED = ['jobs', 'phases', 'features', 'attempts', 'sessions', 'approvals', 'spends', 'notes'] as const;

export function diagnostics({ engine, extension }: HostContext, { key }: Pick<World, 'key'>): string {
  const { state, current, blocker } = engine;
  const { version } = extension.extension.packageJSON as { readonly version?: unknown };
  const facts = {
    version: String(version),
    editor: vscode.version,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    remote: vscode.env.remoteName ?? null,
    mode: current === null ? 'none' : current.owner ? 'owner' : 'viewer',
    blocker,
    key: key.source,
    lastSeq: state.meta.last_seq,
    counts: Object.fromEntries(COUNTED.map((name) => [name, state[name].size])),
    jobs: [...state.jobs.values()].map(({ status, options }) => `${status} (${options.provider})`),
  };
  return JSON.stringify(facts, null, 2);
}
