/** The agents of test/fixtures/agents as lines of the data file. */
import { fileURLToPath } from 'node:url';
import { type AgentEntry, agentEntrySchema } from '../../../src/shared/agent/executorSchemas.ts';
import type { AgentScript } from '../../fixtures/agents/script.ts';
import type { TestPrograms } from '../process/testPrograms.ts';

let scripted = fileURLToPath(new URL('../../fixtures/agents/scriptedAgent.ts', import.meta.url));
let obedient = fileURLToPath(new URL('../../fixtures/agents/obedientAgent.ts', import.meta.url));

/** From here on their bundles are started, which is faster. */
export function startBuilt({ program }: Pick<TestPrograms, 'program'>): void {
  scripted = fileURLToPath(program('scriptedAgent'));
  obedient = fileURLToPath(program('obedientAgent'));
}

/** `more` replaces what the entry says otherwise. */
export function scriptedAgent(script: AgentScript, more: Partial<AgentEntry> = {}): AgentEntry {
  return agentEntrySchema.parse({
    title: 'Scripted agent',
    speaks: 'acp',
    argv: [process.execPath, '--no-warnings', scripted, JSON.stringify(script)],
    models: 'messages',
    env: { ANTHROPIC_BASE_URL: '{url}', ANTHROPIC_API_KEY: '{token}', ANTHROPIC_MODEL: '{model}' },
    install: 'nothing to install',
    url: 'https://agentclientprotocol.com',
    ...more,
  });
}

/** It follows whatever instruction it reads. */
export function obedientAgent(speaks: AgentEntry['speaks']): AgentEntry {
  const argv = [process.execPath, '--no-warnings', obedient, speaks];
  return scriptedAgent({ turns: [] }, { title: 'Obedient agent', speaks, argv });
}
