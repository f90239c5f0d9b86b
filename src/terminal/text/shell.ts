/** A word as a POSIX shell reads it back exactly. */
import { shellQuote } from '../../core/text/shellQuote.ts';

export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuote(text);
}
