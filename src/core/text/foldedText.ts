/** Folds a text as a reader sees it: escapes are undone and invisible characters removed. Maps each character back to its original position. */

export interface FoldedText {
  readonly text: string;
  /** The place in the text itself of a half-open range of this one. */
  place(from: number, to: number): readonly [from: number, to: number];
}

const ESCAPE = String.fromCharCode(27);
const BELL = String.fromCharCode(7);

const TERMINAL = [
  String.raw`${ESCAPE}\[[0-9:;<=>?]*[ -/]*[@-~]`,
  String.raw`${ESCAPE}\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\)`,
].join('|');
const WRITTEN = String.raw`%[0-9A-Fa-f]{2}|&#x?[0-9A-Fa-f]{1,6};|&(?:amp|lt|gt|quot|apos);|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\["\\/]`;
const INVISIBLE = String.raw`\p{Cf}|(?![\t\n\r])\p{Cc}`;
/** Also in the escaped form of JSON and shells. */
const LINE_END = String.raw`(?:\r?\n|\\r|\\n)[\t ]*`;

const FOLDS = new RegExp(`${TERMINAL}|${WRITTEN}|${INVISIBLE}`, 'gu');
const FOLDS_LINES = new RegExp(`${TERMINAL}|${LINE_END}|${WRITTEN}|${INVISIBLE}`, 'gu');

const NAMED: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

/** Returns null if folding changes nothing. `lines`: also folds line ends. */
export function foldedText(text: string, lines: boolean): FoldedText | null {
  const pieces: string[] = [];
  /** Positions where the offset to the original text changes: `[folded, own]`, both rising. */
  const turns: (readonly [number, number])[] = [[0, 0]];
  let length = 0;
  let last = 0;
  for (const match of text.matchAll(lines ? FOLDS_LINES : FOLDS)) {
    const plain = text.slice(last, match.index);
    const meant = meaning(match[0]);
    pieces.push(plain, meant);
    length += plain.length;
    if (meant !== '') turns.push([length, match.index]);
    length += meant.length;
    last = match.index + match[0].length;
    turns.push([length, last]);
  }
  if (last === 0) return null;
  pieces.push(text.slice(last));
  return {
    text: pieces.join(''),
    place: (from, to) => [ownPlace(turns, from), ownPlace(turns, to - 1) + widthAt(turns, to - 1)],
  };
}

function meaning(written: string): string {
  const named = NAMED[written];
  if (named !== undefined) return named;
  const code = /^(?:%|\\u|\\x|&#x)([0-9a-f]+)/i.exec(written)?.[1];
  if (code !== undefined) return character(Number.parseInt(code, 16));
  const decimal = /^&#(\d+);$/.exec(written)?.[1];
  if (decimal !== undefined) return character(Number(decimal));
  return /^\\["\\/]$/.test(written) ? written.slice(1) : '';
}

const character = (code: number): string => (code <= 0xffff ? String.fromCharCode(code) : '');

type Turns = readonly (readonly [number, number])[];

/** Index of the last turn at or before a place of the folded text. */
function turnAt(turns: Turns, at: number): number {
  let low = 0;
  let high = turns.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((turns[middle]?.[0] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

function ownPlace(turns: Turns, at: number): number {
  const [folded, own] = turns[turnAt(turns, at)] ?? [0, 0];
  return own + at - folded;
}

/** Length of the character in the original text. */
function widthAt(turns: Turns, at: number): number {
  const next = turns[turnAt(turns, at) + 1];
  const here = ownPlace(turns, at);
  return next !== undefined && next[0] === at + 1 ? Math.max(1, next[1] - here) : 1;
}
