/** Registers the commands about agents. Their handlers are loaded with the first command. */
import type * as vscode from 'vscode';
import type { HostContext } from '../window/context.ts';
import { registerCommands } from '../window/report.ts';
import type { World } from '../window/world.ts';

/** `autonomous.chooseAgent` takes `{featureId}`, a row of the tree, or nothing: then it asks what the agent is for. */
export function registerAgents(context: HostContext, { documents }: World): vscode.Disposable {
  return registerCommands(context.log, {
    'autonomous.chooseAgent': async (target) => {
      const { chooseAgent } = await import('./chooseAgent.ts');
      await chooseAgent(context, target);
    },
    'autonomous.showAgents': async () => {
      const { agentsText } = await import('./agentTexts.ts');
      await documents.read('agents.md', agentsText(await context.agents.look(true)));
    },
  });
}
