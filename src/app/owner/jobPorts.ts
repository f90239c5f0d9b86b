/** What requests about jobs need in the owner. */
import { DEFAULT_OPTIONS } from '../../core/job/defaults.ts';
import { PRICES } from '../../core/money/price/prices.ts';
import { filingCheck } from '../../engine/job/filing.ts';
import type { RequestPorts } from '../../engine/job/requests/ports.ts';
import { loadScenario } from '../assets/scenarios.ts';
import { agentEntries } from '../open/agents.ts';
import { doorsOf, loadedContexts } from '../open/model/models.ts';
import type { OwnerOptions } from './ownerOptions.ts';

interface Parts extends Pick<RequestPorts, 'store' | 'git' | 'work'> {
  problem(text: string): void;
}

export function jobPorts(options: OwnerOptions, { store, git, work, problem }: Parts): RequestPorts {
  const { places, clock, credentials, providers } = options;
  const door = options.work ? doorsOf(credentials, clock, providers) : null;
  return {
    ready: filingCheck({ git, door, prices: PRICES }, problem),
    store,
    git,
    clock,
    projectDir: places.projectDir,
    jobsDir: places.jobsDir,
    defaults: DEFAULT_OPTIONS,
    agents: () => agentEntries(places.configDir),
    loadedContext: loadedContexts(credentials, places.configDir, clock),
    connections: () => credentials.connections?.known().connections ?? {},
    resolveScenario: async (name) => {
      await loadScenario(name);
      return name;
    },
    work,
  };
}
