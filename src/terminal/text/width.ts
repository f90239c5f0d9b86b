/** Computes the columns of a text that passed `visible.ts` (so: no joiners, no controls). */

const NARROW_ONLY = /^[\u0020-\u007e]*$/;
const LEAST_MIDDLE = 8;
const NO_WIDTH = /\p{M}/u;
/** East Asian wide and full-width blocks, and characters that are drawn as an emoji without a variation selector. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

function characterWidth(character: string): number {
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

export function displayWidth(text: string): number {
  if (NARROW_ONLY.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** At most `width` columns. A text that was cut ends in `…`. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width < 1) return '';
  let taken = '';
  let left = width - 1;
  for (const character of text) {
    left -= characterWidth(character);
    if (left < 0) break;
    taken += character;
  }
  return `${taken.trimEnd()}…`;
}

/** Returns `before` and `after` whole, with `middle` cut to the rest of `width`, but to at least a few columns. */
export function fitMiddle(before: string, middle: string, after: string, width: number): string {
  const room = width - displayWidth(before) - displayWidth(after);
  return before + truncate(middle, Math.max(LEAST_MIDDLE, room)) + after;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** Breaks lines between words so that each fits into `width`. Continued lines keep the indent. A longer word is not broken. */
export function wrap(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => (displayWidth(line) <= width ? line : wrapLine(line, width)))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = indent;
  for (const word of line.trim().split(/ +/)) {
    const isFirst = current.trim() === '';
    const longer = isFirst ? current + word : `${current} ${word}`;
    if (isFirst || displayWidth(longer) <= width) {
      current = longer;
    } else {
      lines.push(current);
      current = indent + word;
    }
  }
  return [...lines, current].join('\n');
}
