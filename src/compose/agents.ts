/** Agents of the user's own, put together: what is known of them, their processes, our model server, the protocols they speak. */
import { knownAgents } from '../adapters/agentData/knownAgents.ts';
import type { Agents } from '../engine/context.ts';
import type { CommandRunner } from '../engine/ports.ts';
import type { Clock } from '../shared/clock.ts';
import { failure } from '../shared/errors.ts';
import type { AgentEntries } from '../shared/executors.ts';

export interface AgentsOptions {
  readonly clock: Clock;
  readonly version: string;
  /** Where the user's own lines of the data file are. */
  readonly configDir: string;
  readonly commands: CommandRunner;
}

/** The built-in lines, and the user's own over them. */
export async function agentEntries(configDir: string): Promise<AgentEntries> {
  return (await knownAgents(configDir)).entries;
}

export function openAgents(_options: AgentsOptions): Agents {
  const unknown = (executor: string): never => {
    throw failure('AGENT_MISSING', `there is no agent ${executor}`);
  };
  return { paidByUs: async (executor) => unknown(executor), open: async ({ executor }) => unknown(executor) };
}
