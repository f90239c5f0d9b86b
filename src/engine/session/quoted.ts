/** Formats results as text for a model: the engine's words as they are, all other text quoted and bounded. */
import { fenced } from '../../core/text/fenced.ts';

const LONGEST_LINE = 300;
const LONGEST_TEXT = 8_000;
const MOST_LINES = 100;

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  // A cut within a pair would leave half a character.
  const end = /[\uD800-\uDBFF]$/.test(text.slice(0, longest)) ? longest - 1 : longest;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

/** Quotes text of another author in one line. */
export function quoted(text: string): string {
  return JSON.stringify(cut(text.trim(), LONGEST_LINE));
}

/** Quotes text of another author as a block that its content cannot end. */
export function quotedBlock(text: string, longest = LONGEST_TEXT): string {
  return fenced(cut(text.trim(), longest), 'text');
}

/** Returns `none` for an empty list. Lines beyond the limit are counted. */
export function listed(lines: readonly string[], none: string): string {
  if (lines.length === 0) return none;
  const more = lines.length - MOST_LINES;
  return [...lines.slice(0, MOST_LINES), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n');
}
