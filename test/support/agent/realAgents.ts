/** Once before the tests with real agents: they are there, or nothing of them is run. */
import type { TestProject } from 'vitest/node';
import { ensureAgents } from '../../../scripts/proof/agents.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder where `cline`, `claude` and `claude-agent-acp` are. */
    agentsBin: string;
  }
}

export async function setup(project: TestProject): Promise<void> {
  const { bin } = await ensureAgents();
  project.provide('agentsBin', bin);
}
