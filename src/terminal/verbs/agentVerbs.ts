/** Verbs about agents of the user's own, and the one that makes a project an agent for others. */
import type { Command } from 'commander';
import type { ChooseOptions } from '../agent/agentChoice.ts';
import type { AgentsOptions } from '../agent/agents.ts';
import type { Act } from '../screen/context.ts';
import type { AcpOptions } from '../workspace/acp.ts';

export function addAgentVerbs(program: Command, act: Act): void {
  const agents = program
    .command('agents')
    .description('the agents that can do the work, and how they stand on this machine')
    .option('--no-probe', 'do not start them to look')
    .action((options: AgentsOptions) =>
      act(async (context) => (await import('../agent/agents.ts')).agentsVerb(context, options)),
    );
  agents
    .command('show <agent>')
    .description('all of one: how it is started, what it can do, who pays, how to get it')
    .action((name: string) =>
      act(async (context) => (await import('../agent/agents.ts')).agentShowVerb(context, name)),
    );
  agents
    .command('choose <feature> [agents...]')
    .description('who carries out a feature; several try it side by side, and you pick one result')
    .option('--job-default', 'as its job says')
    .action((feature: string, names: string[], options: ChooseOptions) =>
      act(async (context) => (await import('../agent/agentChoice.ts')).chooseVerb(context, feature, names, options)),
    );
  program
    .command('acp')
    .description('serve a project to an editor that speaks the Agent Client Protocol, on input and output')
    .option('--project <project>', 'the project (default: default)')
    .action((options: AcpOptions) =>
      act(async (context) => (await import('../workspace/acp.ts')).acpVerb(context, options)),
    );
}
