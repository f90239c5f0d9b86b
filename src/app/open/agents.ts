/** Assembles external agents: their entries, their processes, the model server, their protocols. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ModelDoor, ModelServer } from '../../adapters/modelServer/server.ts';
import { agentMachine } from '../../adapters/shell/session/agentMachine.ts';
import { placesToHide } from '../../adapters/shell/session/hideAutoExecutedPaths.ts';
import { openTree } from '../../adapters/tree/treeFiles.ts';
import { knownAgents } from '../../adapters/userData/knownAgents.ts';
import { filled } from '../../core/agent/agentTemplate.ts';
import type { Agents, AgentWorld } from '../../engine/agent/agentWorld.ts';
import type { AgentOrder, RunningAgent } from '../../engine/agent/ports.ts';
import { launchSpec } from '../../engine/agent/start/launchSpec.ts';
import { type Starting, startAgent } from '../../engine/agent/start/process.ts';
import type { CommandRunner } from '../../engine/session/commandPorts.ts';
import type { AgentEntries, AgentEntry } from '../../shared/agent/executorSchemas.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';

export interface AgentsOptions {
  readonly clock: Clock;
  readonly version: string;
  /** Folder of the user's agents file. */
  readonly configDir: string;
  readonly commands: CommandRunner;
  /** Folders whose programs the user did not choose: the repository. */
  readonly foreign: readonly string[];
}

export interface OpenedAgents extends Agents {
  /** Closes the model server; agents must have been closed. */
  close(): Promise<void>;
}

/**
 * `max_tokens` of an external agent's call, as of a built-in worker's: such agents request the model's maximum, which
 * would be reserved completely.
 */
const MAX_TOKENS = 16_000;

/** The built-in entries, and the user's entries that override them. */
export async function agentEntries(configDir: string): Promise<AgentEntries> {
  return (await knownAgents(configDir)).entries;
}

/** Paths of the user's sign-ins of the known agents, which no command may read. */
export async function signIns(configDir: string): Promise<string[]> {
  const entries = Object.values(await agentEntries(configDir));
  return entries.flatMap(({ login }) => login.map((path) => join(homedir(), path)));
}

async function entryOf(executor: string, configDir: string): Promise<AgentEntry> {
  const { entries, faults } = await knownAgents(configDir);
  const entry = Object.hasOwn(entries, executor) ? entries[executor] : undefined;
  if (entry !== undefined) return entry;
  // A user's entry that cannot be used still replaces the built-in one.
  const fault = faults.find((text) => text.includes(` ${executor}: `));
  throw failure('AGENT_MISSING', `there is no agent named ${executor}${fault === undefined ? '' : `; ${fault}`}`, {
    hint: 'Choose one of `autonomous agents`, or add it to your agents.yaml.',
    details: { executor },
  });
}

export function openAgents(options: AgentsOptions): OpenedAgents {
  const { clock, configDir } = options;
  /** Clones in which an agent is running. */
  const atWork = new Set<string>();
  let server: Promise<ModelServer> | null = null;
  const modelServer = async (): Promise<ModelServer> => {
    server ??= import('../../adapters/modelServer/server.ts').then(({ openModelServer }) => openModelServer({ clock }));
    try {
      return await server;
    } catch (thrown) {
      // The next agent retries.
      server = null;
      throw thrown;
    }
  };

  return {
    paidByUs: async (executor) => (await entryOf(executor, configDir)).models !== 'own',
    async open(order, world) {
      const entry = await entryOf(order.executor, configDir);
      const clone = resolve(order.workdir);
      if (atWork.has(clone)) {
        throw failure('AGENT_UNUSABLE', `another agent is at work in ${clone}`, { details: { clone } });
      }
      atWork.add(clone);
      // Closed in the opposite order; each runs even if another failed.
      const closers: (() => Promise<void>)[] = [async () => void atWork.delete(clone)];
      try {
        const models = entry.models === 'own' ? null : await modelServer();
        const door = models === null ? null : admit(models, order, world);
        if (door !== null) closers.push(() => door.close());
        const worn = await launchSpec({ entry, order, world, door, foreign: options.foreign, machine: agentMachine });
        const port = models?.port ?? null;
        const agent = await spoken({ ...options, entry, order, world, door, worn, port, placesToHide });
        closers.push(() => agent.close());
        return handedOver(agent, () => closeAll(closers));
      } catch (thrown) {
        // The first failure is the one to throw; the next start cleans up the rest.
        await closeAll(closers).catch(() => undefined);
        throw thrown;
      }
    },
    async close() {
      await (await server)?.close();
    },
  };
}

function admit(server: ModelServer, order: AgentOrder, { fetch }: AgentWorld): ModelDoor {
  return server.admit({
    sessionId: order.sessionId,
    fetch,
    model: order.model,
    maxTokens: MAX_TOKENS,
    refused: (thrown) => order.refused(thrown),
    reported: (text) => order.heard({ kind: 'thought', text }),
  });
}

interface Spoken extends AgentsOptions, Starting {
  /** Null if the agent uses its own account. */
  readonly door: ModelDoor | null;
}

/** Opens the agent by its protocol. */
async function spoken(starting: Spoken): Promise<RunningAgent> {
  const { clock, version, entry, order, world, door, worn } = starting;
  const { executor: name } = order;
  const calling = (): boolean => door?.calling() === true;
  if (entry.speaks === 'command') {
    const { openAgentCommand } = await import('../../adapters/agentCommand/openAgentCommand.ts');
    return openAgentCommand({
      clock,
      name,
      entry,
      order,
      calling,
      values: worn.values,
      promptFile: worn.promptFile,
      start: (argv) => startAgent(starting, argv),
    });
  }
  const { openAcpAgent } = await import('../../adapters/acp/openAcpAgent.ts');
  const command = await startAgent(
    starting,
    entry.argv.map((word) => filled(word, worn.values)),
  );
  return openAcpAgent({
    clock,
    version,
    name,
    names: entry,
    mode: entry.mode ?? null,
    command,
    order,
    files: openTree(order.workdir),
    world,
    tools: { command: worn.script, env: worn.placeEnv },
    calling,
  });
}

/** The agent, with this `close`. */
function handedOver(agent: RunningAgent, close: () => Promise<void>): RunningAgent {
  let closing: Promise<void> | null = null;
  return {
    facts: agent.facts,
    get conversation() {
      return agent.conversation;
    },
    prompt: (text, signal) => agent.prompt(text, signal),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** In reverse order. The first failure is thrown after all have run. */
async function closeAll(closers: readonly (() => Promise<void>)[]): Promise<void> {
  const failed: unknown[] = [];
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (thrown) {
      failed.push(thrown);
    }
  }
  if (failed.length > 0) throw failed[0];
}
