/** The agents that are known, and how they stand on this machine. */
import { join } from 'node:path';
import { knownAgents, OWN_AGENTS } from '../adapters/agentData/knownAgents.ts';
import { findExecutable } from '../adapters/shell/executables.ts';
import { bad, good } from '../adapters/shell/finding.ts';
import type { AgentEntry } from '../shared/executorSchemas.ts';
import type { Finding } from '../shared/finding.ts';
import type { ListedAgents } from '../terminal/deps.ts';
import { lookAtAgents } from './agentLook.ts';
import type { Viewer } from './readOnly.ts';

export interface ListOptions {
  /** Ours. */
  readonly version: string;
  /** Starts what is installed. */
  readonly looks: boolean;
  /** Only this one. */
  readonly name?: string;
}

export async function listedAgents(viewer: Viewer, { version, looks, name }: ListOptions): Promise<ListedAgents> {
  const { configDir } = viewer.places;
  const { entries, faults } = await knownAgents(configDir);
  const looked = looks ? (await lookAtAgents(viewer, { version, only: name })).agents : [];
  const agents = Object.entries(entries)
    .filter(([known]) => name === undefined || known === name)
    .map(([known, entry]) => ({
      name: known,
      entry,
      probe: looked.find(({ probe }) => probe.name === known)?.probe ?? null,
    }));
  return { agents, faults, file: join(configDir, OWN_AGENTS) };
}

/** For the doctor: which are installed. None has to be; a line of the user's own that is wrong is. */
export async function findingOfAgents({ places, env }: Viewer): Promise<Finding> {
  const { entries, faults } = await knownAgents(places.configDir);
  const [fault] = faults;
  if (fault !== undefined) return bad('agents', fault, `mend it: ${join(places.configDir, OWN_AGENTS)}`);
  const isThere = ({ argv }: AgentEntry): boolean =>
    findExecutable(argv[0] ?? '', env['PATH'] ?? '', [places.projectDir]) !== null;
  const names = Object.keys(entries).filter((name) => entries[name] !== undefined && isThere(entries[name]));
  return good('agents', names.length === 0 ? 'none installed; the built-in agent does the work' : names.join(', '));
}
