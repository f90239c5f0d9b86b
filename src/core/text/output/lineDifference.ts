/**
 * Shortens long lines of a failed assertion. Two long lines near each other, such as `expected` and `actual`, are shown around the position at which
 * they differ. Pure.
 */

/** Lines between two lines that are compared. */
const NEAR = 4;
/** Characters of a long line's beginning, which names it. */
const HEAD = 60;
/** Characters before the difference. */
const BEFORE = 40;

/** Every line with at most about `max` characters. */
export function shortLines(lines: readonly string[], max: number): readonly string[] {
  const other = pairs(lines, max);
  return lines.map((line, at) => {
    if (line.length <= max) return line;
    const compared = other.get(at);
    return compared === undefined ? `${line.slice(0, max)}…` : around(line, differenceAt(line, compared), max);
  });
}

/** Maps the index of each long line to the long line that it is compared with. */
function pairs(lines: readonly string[], max: number): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  let open: number | null = null;
  for (const [at, line] of lines.entries()) {
    if (line.length <= max) continue;
    const first = open === null ? undefined : lines[open];
    if (open !== null && first !== undefined && at - open <= NEAR) {
      found.set(open, line).set(at, first);
      open = null;
    } else {
      open = at;
    }
  }
  return found;
}

function around(line: string, difference: number, max: number): string {
  const from = difference - BEFORE;
  if (from <= HEAD) return `${line.slice(0, max)}…`;
  const shown = line.slice(from, from + max - HEAD);
  const after = line.length - from - shown.length;
  return `${line.slice(0, HEAD)}[… ${from - HEAD} characters …]${shown}${after === 0 ? '' : '…'}`;
}

interface Part {
  readonly text: string;
  readonly at: number;
}

/**
 * The index of the first difference. Objects print their keys in any order, so a part that is missing in the other line takes precedence over a part
 * at another position.
 */
function differenceAt(line: string, other: string): number {
  const own = firstAlone(line, other);
  if (own === undefined) return sharedLength(line, other);
  return own.at + sharedLength(own.text, firstAlone(other, line)?.text ?? '');
}

/** The first part of a line that occurs less often in the other line. */
function firstAlone(line: string, other: string): Part | undefined {
  const left = new Map<string, number>();
  for (const { text } of partsOf(other)) left.set(text, (left.get(text) ?? 0) + 1);
  return partsOf(line).find(({ text }) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

function partsOf(line: string): readonly Part[] {
  const parts = [...line.matchAll(/[^,{}[\]()]+/g)].map(({ 0: text, index }) => ({ text: text.trim(), at: index }));
  // The first part contains the name of the line, e.g. `expected: '`.
  return parts.filter(({ text }, nth) => text !== '' && nth > 0);
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
