/**
 * Reads the known agents: the built-in entries, and the user's entries that override them. No file of a repository is
 * read.
 */
import { join } from 'node:path';
import builtIn from '../../../assets/agents.json' with { type: 'json' };
import {
  type AgentEntries,
  type AgentEntry,
  agentEntrySchema,
  agentsSchema,
  executorName,
} from '../../shared/agent/executorSchemas.ts';
import { BUILT_IN } from '../../shared/agent/executors.ts';
import { entriesIn, type OwnEntries, ownText } from './ownEntries.ts';

export const OWN_AGENTS = 'agents.yaml';

export interface KnownAgents {
  readonly entries: AgentEntries;
  /** Problems of the user's entries, one sentence each. Such an entry is ignored, and so is the built-in one that it replaces. */
  readonly faults: readonly string[];
}

export const builtInAgents = (): AgentEntries => agentsSchema.parse(builtIn);

export async function knownAgents(configDir: string): Promise<KnownAgents> {
  const found = ownText(join(configDir, OWN_AGENTS));
  if ('fault' in found) return { entries: builtInAgents(), faults: found.fault === null ? [] : [found.fault] };
  const own = ownAgents(found.text);
  const kept = Object.entries(builtInAgents()).filter(([name]) => !own.refused.has(name));
  return { entries: { ...Object.fromEntries(kept), ...own.entries }, faults: own.faults };
}

/** Parses the text of the user's agents file. */
export const ownAgents = (text: string): OwnEntries<AgentEntry> =>
  entriesIn(text, {
    file: OWN_AGENTS,
    of: 'agent',
    schema: agentEntrySchema,
    nameFault: (name) => {
      const named = executorName.safeParse(name);
      if (!named.success) return `a name is ${named.error.issues[0]?.message ?? ''}`;
      return name === BUILT_IN ? 'this name is the built-in agent’s' : null;
    },
  });
