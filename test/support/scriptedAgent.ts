/** The agents of test/fixtures/agents as lines of the data file. */
import { fileURLToPath } from 'node:url';
import { agentEntrySchema } from '../../src/shared/executorSchemas.ts';
import type { AgentEntry } from '../../src/shared/executors.ts';
import type { AgentScript } from '../fixtures/agents/script.ts';
import type { EngineParts } from './engineBundle.ts';

let scripted = fileURLToPath(new URL('../fixtures/agents/scriptedAgent.ts', import.meta.url));
const OBEDIENT = fileURLToPath(new URL('../fixtures/agents/obedientAgent.ts', import.meta.url));

/** From here on its bundle is started, which is faster. */
export function startBuilt({ program }: Pick<EngineParts, 'program'>): void {
  scripted = fileURLToPath(program('scriptedAgent'));
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
  const argv = [process.execPath, '--no-warnings', OBEDIENT, speaks];
  return scriptedAgent({ turns: [] }, { title: 'Obedient agent', speaks, argv });
}
