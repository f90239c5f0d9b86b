/** Exact places where the shipped program ends itself, given to it from outside: `killPreload.ts` is loaded before it. */
import { fileURLToPath, pathToFileURL } from 'node:url';

/** `before`: not a byte is written; `torn`: half of it; `written`: all, not synced; `durable`: synced, and nobody was told. */
export const HOWS = ['before', 'torn', 'written', 'durable'] as const;
export type How = (typeof HOWS)[number];

export type KillPoint =
  /** A line of the log with an event of one of these types; none: of any. */
  | { readonly at: 'event'; readonly types: readonly string[]; readonly nth: number; readonly how: How }
  /** A line in the journal of a session or of a conversation; `word`: one that has it. */
  | { readonly at: 'journal'; readonly nth: number; readonly how: How; readonly word?: string }
  /** Any write below `.autonomous`, and any file that is put in its place there. */
  | { readonly at: 'change'; readonly nth: number; readonly how: How }
  /** A command of git that has this word. */
  | { readonly at: 'git'; readonly word: string; readonly nth: number; readonly how: 'before' | 'after' };

/** What it says of itself, as its last words: this, and the types of events that it was at. */
export const KILLED_AT = 'killed at';

const PRELOAD = fileURLToPath(new URL('./killPreload.ts', import.meta.url));

/** Words for Node; its worker threads get them too. */
export function killFlags(point: KillPoint): string[] {
  const url = pathToFileURL(PRELOAD);
  url.searchParams.set('point', JSON.stringify(point));
  return [`--import=${url.href}`];
}
