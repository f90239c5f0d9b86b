/** Lists the known agents with their status on this machine. */
import { join } from 'node:path';
import { findExecutable } from '../../adapters/platform/executables.ts';
import { createCommandRunner } from '../../adapters/shell/commandRunner.ts';
import { bad, good } from '../../adapters/shell/diagnostic.ts';
import { knownAgents, OWN_AGENTS } from '../../adapters/userData/knownAgents.ts';
import type { ListedAgent, ListedAgents, LookedAgents } from '../../engine/workspace/workspace.ts';
import type { AgentEntry } from '../../shared/agent/executorSchemas.ts';
import type { Diagnostic } from '../../shared/diagnostic.ts';
import { probeAgent } from '../open/agentProbe.ts';
import type { ReadOnlyWorkspace } from '../open/readOnlyWorkspace.ts';

export interface LookOptions {
  /** Version of Autonomous. */
  readonly version: string;
  /** The name of the only agent to check. Default: all. */
  readonly name?: string | undefined;
  /** Whether agents run in the sandbox if there is one. Default: true. */
  readonly confine?: boolean | undefined;
}

/** Starts no agent: each `probe` is null. */
export async function listAgents({ places: { configDir } }: Pick<ReadOnlyWorkspace, 'places'>): Promise<ListedAgents> {
  const { entries, faults } = await knownAgents(configDir);
  const agents = Object.entries(entries).map(([name, entry]): ListedAgent => ({ name, entry, probe: null }));
  return { agents, faults, file: join(configDir, OWN_AGENTS) };
}

/** Starts the installed agents. */
export async function lookAtAgents(readOnly: ReadOnlyWorkspace, options: LookOptions): Promise<LookedAgents> {
  const { clock, env, places } = readOnly;
  const { version, name: only, confine = true } = options;
  const listed = await listAgents(readOnly);
  const wanted = listed.agents.filter(({ name }) => only === undefined || name === only);
  const commands = createCommandRunner({ clock, environment: env, confine });
  const { signal } = new AbortController();
  const probing = { clock, version, commands, env, foreign: [places.projectDir], signal };
  try {
    const agents = await Promise.all(
      wanted.map(async ({ name, entry }) => ({ name, entry, probe: await probeAgent(name, entry, probing) })),
    );
    return { ...listed, agents };
  } finally {
    await commands.close();
  }
}

/** For the doctor: the installed agents. None is required; an invalid entry of the user is an error. */
export async function diagnosticOfAgents({ places, env }: ReadOnlyWorkspace): Promise<Diagnostic> {
  const { entries, faults } = await knownAgents(places.configDir);
  const [fault] = faults;
  if (fault !== undefined) return bad('agents', fault, `fix it: ${join(places.configDir, OWN_AGENTS)}`);
  const isThere = ({ argv }: AgentEntry): boolean =>
    findExecutable(argv[0] ?? '', env['PATH'] ?? '', [places.projectDir]) !== null;
  const names = Object.keys(entries).filter((name) => entries[name] !== undefined && isThere(entries[name]));
  return good('agents', names.length === 0 ? 'none installed; the built-in agent does the work' : names.join(', '));
}
