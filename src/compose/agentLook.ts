/** The agents that are known, as they stand on this machine. */
import { knownAgents } from '../adapters/agentData/knownAgents.ts';
import { createCommandRunner } from '../adapters/shell/commandRunner.ts';
import type { LookedAgents } from '../host/engine/backend.ts';
import { probeAgent } from './agentProbe.ts';
import type { Viewer } from './readOnly.ts';

export interface LookOptions {
  /** Ours. */
  readonly version: string;
  readonly only?: string | undefined;
  /** In the sandbox where there is one. */
  readonly confine?: boolean;
}

/** Starts those that are installed. */
export async function lookAtAgents(
  { clock, env, places }: Viewer,
  { version, only, confine = true }: LookOptions,
): Promise<LookedAgents> {
  const { entries, faults } = await knownAgents(places.configDir);
  const wanted = Object.entries(entries).filter(([name]) => only === undefined || name === only);
  const commands = createCommandRunner({ clock, environment: env, confine });
  const { signal } = new AbortController();
  try {
    const agents = await Promise.all(
      wanted.map(async ([name, entry]) => {
        const probe = await probeAgent(name, entry, {
          clock,
          version,
          commands,
          env,
          foreign: [places.projectDir],
          signal,
        });
        return { probe, install: entry.install, url: entry.url };
      }),
    );
    return { agents, faults };
  } finally {
    await commands.close();
  }
}
