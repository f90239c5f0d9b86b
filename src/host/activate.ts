/** Puts the host together. Everything here is light: the engine is loaded at its first use. */

import * as vscode from 'vscode';
import type { Workspaces } from '../engine/workspace.ts';
import type { Clock } from '../shared/clock.ts';
import type { FromPage } from '../shared/webviewProtocol.ts';
import { knownAgents } from './agents/knownAgents.ts';
import { registerAgents } from './agents/register.ts';
import { registerApi } from './api/register.ts';
import { showSummary } from './board/summary.ts';
import { BoardViews } from './board/views.ts';
import { registerMcp } from './chat/mcp.ts';
import { registerChat } from './chat/participant.ts';
import { registerTools } from './chat/tools.ts';
import { beginWaitingDemo, registerDemo } from './commands/demo.ts';
import { registerJobCommands } from './commands/jobCommands.ts';
import { registerLookCommands } from './commands/lookCommands.ts';
import { registerWindowCommands } from './commands/windowCommands.ts';
import type { HostContext } from './context.ts';
import { Documents } from './documents.ts';
import { WorkspaceEngine } from './engine/handle.ts';
import { apiKey } from './engine/key.ts';
import { followOwners } from './engine/owners.ts';
import { registerLinks } from './links.ts';
import { plainWords } from './plainWords.ts';
import { registerPlan } from './plan/plan.ts';
import { tellMessages } from './project/messages.ts';
import { registerProjects } from './project/register.ts';
import { report } from './report.ts';
import { setting } from './settings/read.ts';
import { registerTasks } from './task/register.ts';
import type { RegisteredActions } from './task/stepActions.ts';
import type { World } from './world.ts';

export interface HostPorts {
  readonly clock: Clock;
  readonly load: () => Promise<Workspaces>;
  readonly actions: RegisteredActions;
}

/** The registration of another part of the extension. */
type Part = (context: HostContext) => vscode.Disposable;

/** Gives the engine, to be closed when the window closes. */
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
    const { pageActs } = await import('./board/pageActs.ts');
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
    registerJobCommands(context),
    registerLookCommands(context, world),
    registerWindowCommands(context, world),
    registerDemo(context, world),
    registerProjects(context, world, () => summary.refresh()),
    registerTasks(context, world, actions),
    registerApi(context, world),
    registerAgents(context, world),
    tellMessages(context, clock),
    registerChat(context),
    registerTools(context, world),
    registerMcp(context),
    registerLinks(context, views),
    registerPlan(context, views),
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
    followOwners(handle),
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
