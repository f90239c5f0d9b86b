/**
 * Reads the known agents: the built-in entries, and the user's entries that override them. No file of a repository is
 * read.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Document, isMap, isNode, isScalar } from 'yaml';
import builtIn from '../../../assets/agents.json' with { type: 'json' };
import { yamlDocument } from '../../core/text/yamlDocument.ts';
import {
  type AgentEntries,
  type AgentEntry,
  agentEntrySchema,
  agentsSchema,
  executorName,
} from '../../shared/agent/executorSchemas.ts';
import { BUILT_IN } from '../../shared/agent/executors.ts';
import { errnoOf } from '../../shared/errors.ts';

export const OWN_AGENTS = 'agents.yaml';
const MAX_BYTES = 256 * 1024;
const MAX_AGENTS = 200;

export interface KnownAgents {
  readonly entries: AgentEntries;
  /** Problems of the user's entries, one sentence each. Such an entry is ignored, and so is the built-in one that it replaces. */
  readonly faults: readonly string[];
}

export const builtInAgents = (): AgentEntries => agentsSchema.parse(builtIn);

export async function knownAgents(configDir: string): Promise<KnownAgents> {
  const file = join(configDir, OWN_AGENTS);
  const found = await ownText(file);
  if ('fault' in found) return { entries: builtInAgents(), faults: found.fault === null ? [] : [found.fault] };
  const own = ownAgents(found.text);
  const kept = Object.entries(builtInAgents()).filter(([name]) => !own.refused.has(name));
  return { entries: { ...Object.fromEntries(kept), ...own.entries }, faults: own.faults };
}

/** A program of this file runs as the file's owner, so a file that other users may write is not read. */
async function ownText(file: string): Promise<{ readonly text: string } | { readonly fault: string | null }> {
  try {
    const { size, mode } = await stat(file);
    if (size > MAX_BYTES) return { fault: `${OWN_AGENTS} is larger than ${MAX_BYTES / 1024} KiB` };
    if (process.platform !== 'win32' && (mode & 0o022) !== 0)
      return { fault: `${OWN_AGENTS} may be written by others, so it is not read: chmod 600 ${file}` };
    return { text: await readFile(file, 'utf8') };
  } catch (thrown) {
    const code = String(errnoOf(thrown) ?? thrown);
    return { fault: code === 'ENOENT' ? null : `${OWN_AGENTS} cannot be read: ${code}` };
  }
}

interface OwnAgents {
  readonly entries: AgentEntries;
  readonly faults: readonly string[];
  /** Names of the entries that are ignored. */
  readonly refused: ReadonlySet<string>;
}

/** Parses the text of the user's agents file. */
export function ownAgents(text: string): OwnAgents {
  const { document, lines } = yamlDocument(text);
  const at = (offset: number): string => `${OWN_AGENTS} line ${lines.linePos(offset).line}`;
  const [error] = document.errors;
  const none = { entries: {}, refused: new Set<string>() };
  if (error !== undefined) return { ...none, faults: [`${at(error.pos[0])}: ${error.message.split('\n')[0]}`] };
  if (document.contents === null) return { ...none, faults: [] };
  if (!isMap(document.contents))
    return { ...none, faults: [`${OWN_AGENTS} line 1: it is a mapping of names to agents`] };
  const { items } = document.contents;
  if (items.length > MAX_AGENTS)
    return { ...none, faults: [`${OWN_AGENTS} has ${items.length} agents, at most ${MAX_AGENTS} are taken`] };
  const values = plainValues(document);
  if (values === null) return { ...none, faults: [`${OWN_AGENTS} has an alias that leads nowhere, or too far`] };
  const entries: Record<string, AgentEntry> = {};
  const faults: string[] = [];
  const refused = new Set<string>();
  for (const { key } of items) {
    const name = isScalar(key) ? String(key.value) : '';
    const judged = judge(document, values, name);
    if ('entry' in judged) entries[name] = judged.entry;
    else {
      refused.add(name);
      const start = isNode(judged.node) ? judged.node.range?.[0] : undefined;
      faults.push(`${at(start ?? (isNode(key) ? (key.range?.[0] ?? 0) : 0))}: ${name}: ${judged.what}`);
    }
  }
  return { entries, faults, refused };
}

/** Returns null if its aliases cannot be resolved. */
function plainValues(document: Document): Readonly<Record<string, unknown>> | null {
  try {
    return document.toJS({ maxAliasCount: 100 }) as Readonly<Record<string, unknown>>;
  } catch (thrown) {
    if (thrown instanceof ReferenceError) return null;
    throw thrown;
  }
}

type Judged = { readonly entry: AgentEntry } | { readonly what: string; readonly node: unknown };

function judge(document: Document, values: Readonly<Record<string, unknown>>, name: string): Judged {
  const named = executorName.safeParse(name);
  if (!named.success) return { what: `a name is ${named.error.issues[0]?.message ?? ''}`, node: null };
  if (name === BUILT_IN) return { what: 'this name is the built-in agent’s', node: null };
  const parsed = agentEntrySchema.safeParse(values[name]);
  if (parsed.success) return { entry: parsed.data };
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...(issue?.path ?? []), ...unknown];
  const where = path.length === 0 ? '' : `${path.join('.')}: `;
  return { what: `${where}${issue?.message ?? 'not an agent'}`, node: keyNode(document, [name, ...path]) };
}

/** The nearest existing node on the way to a path. */
function keyNode(document: Document, path: readonly PropertyKey[]): unknown {
  for (let length = path.length; length > 1; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node)) return node;
  }
  return null;
}
