/** Finds the part of a text that a failed match most likely meant. */

export interface MissingText {
  /** The place's first line, from 1. */
  readonly line: number;
  /** The text's own lines there. */
  readonly found: readonly string[];
  /** Pairs of a given line and the actual line that differ. */
  readonly differences: readonly LineDifference[];
}

export interface LineDifference {
  readonly line: number;
  /** Null if there is no such line. */
  readonly given: string | null;
  readonly found: string | null;
}

/** A place is named only if it is this alike. */
const ALIKE = 0.5;
/** A shorter line, for instance a brace, does not identify a position. */
const TELLING = 3;
/** For a line that occurs more often, only the first occurrences are considered. */
const REPEATED = 10;
/** Places that are compared letter by letter. */
const COMPARED = 20;

/** Null if no place resembles the text. */
export function missingText(text: string, given: string): MissingText | null {
  const lines = text.split('\n');
  const wanted = given.split('\n');
  const places = mostEqualLines(lines, wanted);
  const scored = (places.length > 0 ? places : mostAlikeLine(lines, wanted)).map((start) => {
    const found = lines.slice(start, start + wanted.length);
    return { start, found, score: likeness(found.join('\n'), wanted.join('\n')) };
  });
  const best = scored.sort((a, b) => b.score - a.score || a.start - b.start)[0];
  if (best === undefined || best.score < ALIKE) return null;
  const { start, found } = best;
  return { line: start + 1, found, differences: differencesOf(start + 1, wanted, found) };
}

function differencesOf(first: number, wanted: readonly string[], found: readonly string[]): readonly LineDifference[] {
  return wanted.flatMap((given, index) => {
    const there = found[index] ?? null;
    const same = there !== null && matches(there, given, index > 0, index < wanted.length - 1);
    return same ? [] : [{ line: first + index, given, found: there }];
  });
}

/** The first and the last line of a text may be parts of lines. */
function matches(line: string, given: string, fromStart: boolean, toEnd: boolean): boolean {
  if (fromStart) return toEnd ? line === given : line.startsWith(given);
  return toEnd ? line.endsWith(given) : line.includes(given);
}

/** Start positions at which most lines are equal except for white space. Empty if no line is. */
function mostEqualLines(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  const at = new Map<string, number[]>();
  for (const [index, line] of wanted.entries()) {
    const key = spaceless(line);
    const before = at.get(key) ?? [];
    if (key.length >= TELLING && before.length < REPEATED) at.set(key, [...before, index]);
  }
  const hits = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    for (const offset of at.get(spaceless(line)) ?? []) {
      const start = index - offset;
      if (start >= 0) hits.set(start, (hits.get(start) ?? 0) + 1);
    }
  }
  return [...hits]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, COMPARED)
    .map(([start]) => start);
}

/** The position at which the longest wanted line is most similar to a line of the text. */
function mostAlikeLine(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  const offset = wanted.reduce((best, line, index) => (line.length > (wanted[best]?.length ?? 0) ? index : best), 0);
  const pairs = pairsOf(wanted[offset] ?? '');
  const scored = lines.map((line, index) => ({ start: index - offset, score: shared(pairs, pairsOf(line)) }));
  return scored
    .filter(({ start, score }) => start >= 0 && score > 0)
    .sort((a, b) => b.score - a.score || a.start - b.start)
    .slice(0, COMPARED)
    .map(({ start }) => start);
}

export const spaceless = (line: string): string => line.replaceAll(/\s+/g, '');

/** How alike two texts are: 0 for nothing in common, up to 1. */
export const likeness = (a: string, b: string): number => shared(pairsOf(a), pairsOf(b));

type Pairs = ReadonlyMap<string, number>;

/** Counts of each two neighbouring characters, spaces left out. */
function pairsOf(text: string): Pairs {
  const bare = spaceless(text);
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < bare.length; at++) {
    const pair = bare.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  // A single character has no pair.
  return bare.length === 1 ? new Map([[bare, 1]]) : pairs;
}

/** The Sørensen–Dice coefficient: 0 for nothing in common, up to 1. */
function shared(a: Pairs, b: Pairs): number {
  const total = (pairs: Pairs): number => [...pairs.values()].reduce((sum, count) => sum + count, 0);
  const all = total(a) + total(b);
  const common = [...a].reduce((sum, [pair, count]) => sum + Math.min(count, b.get(pair) ?? 0), 0);
  return all === 0 ? 0 : (2 * common) / all;
}
