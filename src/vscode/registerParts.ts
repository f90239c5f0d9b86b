/** Registers the commands, views and tools of every subject. */
import type * as vscode from 'vscode';
import { registerAgents } from './agent/register.ts';
import { registerJobCommands } from './job/jobCommands.ts';
import { registerPlan } from './job/plan/plan.ts';
import { registerLinks } from './links.ts';
import { registerMcp } from './main/mcp.ts';
import { registerChat } from './main/participant.ts';
import { registerTools } from './main/tools.ts';
import type { ShownSummary } from './page/summary.ts';
import { showMessages } from './project/messages.ts';
import { registerProjects } from './project/register.ts';
import { registerTasks } from './task/register.ts';
import type { RegisteredActions } from './task/stepActions.ts';
import type { HostContext } from './window/context.ts';
import type { World } from './window/world.ts';
import { registerDemo } from './workspace/demo.ts';
import { registerInspectCommands } from './workspace/inspectCommands.ts';
import { registerApi } from './workspace/registerApi.ts';
import { registerWindowCommands } from './workspace/windowCommands.ts';

export function registerParts(
  context: HostContext,
  world: World,
  actions: RegisteredActions,
  summary: ShownSummary,
): readonly vscode.Disposable[] {
  const { clock, views } = world;
  return [
    registerJobCommands(context),
    registerInspectCommands(context, world),
    registerWindowCommands(context, world),
    registerDemo(context, world),
    registerProjects(context, world, () => summary.refresh()),
    registerTasks(context, world, actions),
    registerApi(context, world),
    registerAgents(context, world),
    showMessages(context, clock),
    registerChat(context),
    registerTools(context, world),
    registerMcp(context),
    registerLinks(context, views),
    registerPlan(context, views),
  ];
}
