/** Verbs about installed agents, and the verb that offers a project as an agent to other programs. */
import type { Command } from 'commander';
import type { ChooseOptions } from '../agent/agentChoice.ts';
import type { AgentsOptions } from '../agent/agents.ts';
import type { Act } from '../screen/context.ts';
import type { AcpOptions } from '../workspace/acp.ts';

export function addAgentVerbs(program: Command, act: Act): void {
  const agents = program
    .command('agents')
    .description('list available agents and their state on this machine')
    .option('--no-probe', 'do not start the agents to check them')
    .action((options: AgentsOptions) =>
      act(async (context) => (await import('../agent/agents.ts')).agentsVerb(context, options)),
    );
  agents
    .command('show <agent>')
    .description('show an agent: command, abilities, payment and installation')
    .action((name: string) =>
      act(async (context) => (await import('../agent/agents.ts')).agentShowVerb(context, name)),
    );
  agents
    .command('choose <feature> [agents...]')
    .description('choose the agents of a feature; with several, you pick one result')
    .option('--job-default', "the job's choice")
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
