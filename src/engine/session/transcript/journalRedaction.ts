/** Redacts a conversation for its journal: removes secrets from its texts and results. */
import { dataWithoutSecrets, withoutSecrets } from '../../../core/guard/secrets.ts';
import type { TranscriptEntry } from '../ports.ts';

const clean = withoutSecrets();

/** Keys by which blocks are found again, proven or drawn. */
const EXACT: ReadonlySet<string> = new Set(['id', 'tool_use_id', 'signature', 'data']);

/** Text that a model writes into a file or a command is its work, and runs from the journal: it is not redacted. */
const WORK: readonly string[] = ['write', 'edit', 'bash'];

/** `theirs`: the calls are an external agent's, which are only reported here. */
export function redactedEntry(entry: TranscriptEntry, { theirs }: { readonly theirs: boolean }): TranscriptEntry {
  if (entry.kind !== 'reply' || theirs) return dataWithoutSecrets(entry, clean, EXACT);
  const { message } = entry;
  const content = (message as { readonly content?: unknown } | null)?.content;
  if (!Array.isArray(content)) return entry;
  const kept = content.map((block: unknown) => (mayBeCleaned(block) ? dataWithoutSecrets(block, clean, EXACT) : block));
  const same = kept.every((block, at) => block === content[at]);
  return same ? entry : { ...entry, message: { ...(message as object), content: kept } };
}

/** Thinking is signed. */
function mayBeCleaned(block: unknown): boolean {
  const { type, name } = (block ?? {}) as { readonly type?: unknown; readonly name?: unknown };
  return type === 'text' || (type === 'tool_use' && typeof name === 'string' && !WORK.includes(name));
}
