/** Limits the length of each section of the facts. */
import { visibleText } from '../../text.ts';

/** Tokens of each section, with its heading and marks. Together they are the 4,000 tokens that the facts may have. */
export const TOKENS = {
  setup: 200,
  machine: 300,
  instructions: 1_400,
  /** Instructions of the folders that a feature names, in the worker's own part. */
  nestedInstructions: 400,
  map: 1_050,
  commits: 250,
  /** Results of the verify commands before the first attempt. */
  baseline: 400,
} as const;

const CHARACTERS_PER_TOKEN = 4;
/** Characters for a section's heading, its marks, and the line that states what is left out. */
const AROUND = 240;
const MAX_LINE = 160;

/** Characters of a section's text. `isShort`: for a small context window. */
export function room(section: keyof typeof TOKENS, isShort = false): number {
  return TOKENS[section] * CHARACTERS_PER_TOKEN * (isShort ? 0.5 : 1) - AROUND;
}

/** Returns the first lines that fit, without hidden characters, and how many are left out. */
export function linesWithin(lines: readonly string[], max: number, more: (left: number) => string): string {
  const shown: string[] = [];
  let left = max;
  for (const line of lines) {
    const text = oneLine(line, MAX_LINE);
    if (text.length + 1 > left) break;
    left -= text.length + 1;
    shown.push(text);
  }
  const cut = lines.length - shown.length;
  return [...shown, ...(cut === 0 ? [] : [more(cut)])].join('\n');
}

/** The text on one line, with hidden characters written out, cut after `max` characters. */
export function oneLine(text: string, max: number): string {
  const shown = visibleText(
    text
      .slice(0, max + 1)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  return shown.length <= max ? shown : `${shown.slice(0, max)}…`;
}
