/** What of a conversation is journaled: without the secrets that were read, said or given in it. */
import { dataWithoutSecrets, withoutSecrets } from '../core/secrets.ts';
import type { TranscriptEntry } from './ports.ts';

const clean = withoutSecrets();

/** By these blocks are found again, proven or drawn. */
const EXACT: ReadonlySet<string> = new Set(['id', 'tool_use_id', 'signature', 'data']);

/**
 * A call of a tool stays as it is where it runs from the journal: what a model writes into a file is its work. `theirs`: the calls
 * are another agent's own, which are only told of.
 */
export function keptEntry(entry: TranscriptEntry, { theirs }: { readonly theirs: boolean }): TranscriptEntry {
  if (entry.kind !== 'reply' || theirs) return dataWithoutSecrets(entry, clean, EXACT);
  const { message } = entry;
  const content = (message as { readonly content?: unknown } | null)?.content;
  if (!Array.isArray(content)) return entry;
  const kept = content.map((block: unknown) => (isText(block) ? { ...block, text: clean(block.text) } : block));
  const same = kept.every((block, at) => isText(block) && block.text === (content[at] as { text: string }).text);
  return same ? entry : { ...entry, message: { ...(message as object), content: kept } };
}

function isText(block: unknown): block is { readonly type: 'text'; readonly text: string } {
  const { type, text } = (block ?? {}) as { readonly type?: unknown; readonly text?: unknown };
  return type === 'text' && typeof text === 'string';
}
