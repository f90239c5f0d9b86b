/** Composes the extension. Everything here is light: the engine is loaded on first use. */

import * as vscode from 'vscode';
import type { Workspaces } from '../engine/workspace/workspace.ts';
import type { Clock } from '../shared/clock.ts';
import type { FromPage } from '../shared/workspace/pageProtocol.ts';
import { knownAgents } from './agent/knownAgents.ts';
import { showSummary } from './page/summary.ts';
import { BoardViews } from './page/views.ts';
import { registerParts } from './registerParts.ts';
import { setting } from './settings/read.ts';
import type { RegisteredActions } from './task/stepActions.ts';
import type { HostContext } from './window/context.ts';
import { WorkspaceEngine } from './window/handle.ts';
import { apiKey } from './window/owner/key.ts';
import { followOwners } from './window/owner/owners.ts';
import { report } from './window/report.ts';
import type { World } from './window/world.ts';
import { Documents } from './words/documents.ts';
import { plainWords } from './words/plainWords.ts';
import { beginWaitingDemo } from './workspace/demo.ts';

export interface HostPorts {
  readonly clock: Clock;
  readonly load: () => Promise<Workspaces>;
  readonly actions: RegisteredActions;
}

/** Registers another part of the extension. */
type Part = (context: HostContext) => vscode.Disposable;

/** Starts the engine of this window. Dispose the returned object when the window closes. */
export function startHost(
  extension: vscode.ExtensionContext,
  { clock, load, actions }: HostPorts,
  parts: readonly Part[],
): { readonly context: HostContext; close(): Promise<void> } {
  const log = vscode.window.createOutputChannel('Autonomous', { log: true });
  const key = apiKey(extension, log);
  const handle = new WorkspaceEngine({ load, clock, key, memory: extension.workspaceState, log });
  const agents = knownAgents(handle, load);
  const context: HostContext = { extension, log, engine: handle, agents, today: () => localDay(clock) };
  const documents = new Documents();
  const act = async (message: FromPage): Promise<void> => {
    const { pageActs } = await import('./page/pageActs.ts');
    await pageActs({ context, handle, documents })(message);
  };
  const views = new BoardViews({ context, clock, act });
  const world: World = { clock, load, handle, key, documents, views };
  const summary = showSummary(context, clock, views);
  extension.subscriptions.push(
    log,
    documents.register(),
    views.register(),
    summary,
    ...registerParts(context, world, actions, summary),
    handle.onDidTrouble((text) => {
      if (setting.notifies('failures')) void vscode.window.showWarningMessage(plainWords(text));
    }),
    ...parts.map((part) => part(context)),
  );
  const begin = async (again: boolean): Promise<void> => {
    try {
      await (again ? handle.restart() : handle.begin());
      await beginWaitingDemo(context, world);
    } catch (thrown) {
      report(log, thrown);
    }
  };
  extension.subscriptions.push(
    vscode.workspace.onDidGrantWorkspaceTrust(() => begin(true)),
    vscode.workspace.onDidChangeWorkspaceFolders(() => (handle.moved ? begin(true) : undefined)),
    followOwners(handle, clock),
  );
  void begin(false);
  return { context, close: () => handle.close() };
}

/** `YYYY-MM-DD` */
function localDay(clock: Clock): string {
  const now = new Date(clock.now());
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
