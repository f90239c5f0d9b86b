/** Groups the calls of a session by conversation: the runs of calls between one handover and the next. */
import type { SpendRow, Usage } from '../../../shared/money.ts';
import { inputTokens } from '../../model/usage/usage.ts';

/** Calls of one conversation, or of one whose history was sent again after its model or settings changed. */
export interface Run {
  readonly calls: readonly SpendRow[];
  /** Whether it only served to hand over what was left of a history that the provider had refused. */
  readonly isPassage: boolean;
}

/** Requests for a summary, at the most. A conversation that is handed over for another reason has more calls. */
const PASSAGE_CALLS = 2;

/** The runs of the session's own conversation, and of each session within it, in their order. Calls whose place is not known are left out. */
export function runsOf(calls: readonly SpendRow[]): Run[][] {
  const byOwner = new Map<string, SpendRow[][]>();
  for (const row of calls) {
    if (!isPlaced(row)) continue;
    const owner = ownerOf(row.conversation);
    const runs = byOwner.get(owner) ?? [];
    byOwner.set(owner, runs);
    const last = runs.at(-1);
    const before = last?.at(-1);
    if (last === undefined || (before !== undefined && beginsFresh(row, before))) runs.push([row]);
    else last.push(row);
  }
  return [...byOwner.values()].map((runs) =>
    runs.map((of, index) => ({
      calls: of,
      isPassage: index > 0 && index < runs.length - 1 && of.length <= PASSAGE_CALLS,
    })),
  );
}

/** A conversation of a session within a session is named `<call>/<conversation>`. */
const ownerOf = (conversation: string): string => conversation.slice(0, conversation.lastIndexOf('/') + 1);

/** If another conversation begins with a prompt of at least the same length, it has the same history under another model or setting. */
const beginsFresh = (row: SpendRow, before: SpendRow): boolean =>
  row.conversation !== before.conversation && promptOf(row) < promptOf(before);

export const usageOf = (row: SpendRow): Usage => ({
  input: row.input_tokens,
  output: row.output_tokens,
  cacheRead: row.cache_read_tokens,
  cacheWrite5m: row.cache_write_5m_tokens,
  cacheWrite1h: row.cache_write_1h_tokens,
});

/** Tokens of everything that was sent, cached or not. */
export const promptOf = (row: SpendRow): number => inputTokens(usageOf(row));

/** Whether it is known what was sent before it. A call whose cost a person set has no usage. */
export const isPlaced = (row: SpendRow): row is SpendRow & { readonly conversation: string } =>
  row.conversation !== null && promptOf(row) > 0;
