/** How long each section of the facts may be. Together they are at most 4,000 tokens: see the test. */
import { visibleText } from '../text.ts';

/** Tokens of the sections, headings and marks included. */
export const TOKENS = {
  setup: 300,
  commits: 300,
} as const;

const CHARACTERS_PER_TOKEN = 4;
/** Characters for a section's heading, its marks, and the line that says what is left out. */
const AROUND = 200;
const MAX_LINE = 160;

/** As many of the first lines as fit, each on one line and with nothing hidden in it, then how many are left out. */
export function linesWithin(lines: readonly string[], tokens: number, more: (left: number) => string): string {
  const shown: string[] = [];
  let room = tokens * CHARACTERS_PER_TOKEN - AROUND;
  for (const line of lines) {
    const text = oneLine(line);
    if (text.length + 1 > room) break;
    room -= text.length + 1;
    shown.push(text);
  }
  const left = lines.length - shown.length;
  return [...shown, ...(left === 0 ? [] : [more(left)])].join('\n');
}

function oneLine(text: string): string {
  const shown = visibleText(text.replaceAll(/\s+/g, ' ').trim());
  return shown.length <= MAX_LINE ? shown : `${shown.slice(0, MAX_LINE)}…`;
}
