/** The agents that are known, as they stand on this machine. */
import { knownAgents } from '../adapters/agentData/knownAgents.ts';
import { findExecutable } from '../adapters/shell/executables.ts';
import type { KnownAgent, LookedAgents } from '../host/engine/backend.ts';
import type { AgentEntry } from '../shared/executors.ts';
import type { Viewer } from './readOnly.ts';

export async function lookAtAgents({ places, env }: Viewer): Promise<LookedAgents> {
  const { entries, faults } = await knownAgents(places.configDir);
  const look = (name: string, { title, argv, models, install, url }: AgentEntry): KnownAgent => {
    const program = argv[0] ?? '';
    const isThere = findExecutable(program, env['PATH'] ?? '', [places.projectDir]) !== null;
    const probe = {
      name,
      title,
      state: isThere ? 'ready' : 'missing',
      detail: isThere ? '' : `there is no ${program} on the PATH`,
      fix: isThere ? '' : install,
      version: null,
      protocol: null,
      can: [],
      lacks: [],
      priced: models !== 'own',
    } as const;
    return { probe, install, url };
  };
  return { agents: Object.entries(entries).map(([name, entry]) => look(name, entry)), faults };
}
