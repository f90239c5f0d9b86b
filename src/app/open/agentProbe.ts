/** Probes an agent on this machine, in a temp folder. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rm } from '../../adapters/platform/heldFiles.ts';
import { agentMachine } from '../../adapters/shell/session/agentMachine.ts';
import { type ProbeParts, probe } from '../../engine/agent/start/probe.ts';
import type { AgentEntry } from '../../shared/agent/executorSchemas.ts';
import type { AgentProbe } from '../../shared/agent/executors.ts';

export interface ProbeOptions extends Pick<ProbeParts, 'clock' | 'commands' | 'env' | 'foreign' | 'signal'> {
  /** Version of Autonomous. */
  readonly version: string;
}

/** See `probe`. */
export function probeAgent(name: string, entry: AgentEntry, options: ProbeOptions): Promise<AgentProbe> {
  const { clock, version, signal } = options;
  return probe(name, entry, {
    ...options,
    machine: agentMachine,
    withFolder,
    greet: async (names, command) => {
      const { probeAcp } = await import('../../adapters/acp/probeAcp.ts');
      return probeAcp({ clock, version, names, command, signal });
    },
  });
}

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'autonomous-look-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
