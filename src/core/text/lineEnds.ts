/** Takes the line ends of a text from its lines: a model writes LF, and a file keeps the ends that it has. */

/** A lone CR is a character of its line. */
export interface LineEnds {
  /** Each line ends in LF. */
  readonly text: string;
  /** Whether the line ended in CRLF, for each line that has an end. */
  readonly crlf: readonly boolean[];
}

export const withLf = (text: string): string => text.replaceAll('\r\n', '\n');

export function takeLineEnds(text: string): LineEnds {
  return { text: withLf(text), crlf: Array.from(text.matchAll(/\r?\n/g), ([end]) => end.length === 2) };
}

export function putLineEnds({ text, crlf }: LineEnds): string {
  if (!crlf.includes(true)) return text;
  let line = 0;
  return text.replaceAll('\n', () => (crlf[line++] === true ? '\r\n' : '\n'));
}

/** The line ends after `before` was replaced by `after` at these places of the text, which are in order. */
export function replacedLineEnds(
  { text, crlf }: LineEnds,
  places: readonly number[],
  before: string,
  after: string,
): readonly boolean[] {
  const given = before.split('\n');
  const replaced = replacedLines(given, after.split('\n'));
  const result: boolean[] = [];
  let [line, at] = [0, 0];
  for (const place of places) {
    const first = line + countEnds(text.slice(at, place));
    while (line < first) result.push(crlf[line++] === true);
    const last = first + given.length - 1;
    const own = crlf[first] ?? crlf[first - 1] ?? false;
    for (const from of replaced) result.push((from === null ? undefined : crlf[first + from]) ?? own);
    [line, at] = [last, place + before.length];
  }
  while (line < crlf.length) result.push(crlf[line++] === true);
  return result;
}

/** The text `after`, which has LF, in place of `before`: equal lines keep their ends, others have that of most lines. */
export function withLineEndsOf(before: string, after: string): string {
  const { text, crlf } = takeLineEnds(before);
  const most = isMostlyCrlf(before);
  const kept = keptLines(text.split('\n'), after.split('\n'));
  return putLineEnds({ text: after, crlf: kept.map((from) => (from === null ? undefined : crlf[from]) ?? most) });
}

/** For each line written that has an end, the index of the line that it is or replaces, or null for a new one. */
function replacedLines(given: readonly string[], written: readonly string[]): readonly (number | null)[] {
  const lines = [...keptLines(given, written)];
  let until = given.length - 1;
  const limits = lines.toReversed().map((from) => {
    until = from ?? until;
    return until;
  });
  for (let nth = 0, next = 0; nth < lines.length; nth++) {
    const from = lines[nth] ?? (next < (limits.at(-1 - nth) ?? 0) ? next : null);
    lines[nth] = from;
    if (from !== null) next = from + 1;
  }
  return lines.slice(0, -1);
}

/** For each line written, the index of the equal line given, or null: from the start, from the end, then in order. */
function keptLines(given: readonly string[], written: readonly string[]): readonly (number | null)[] {
  const kept: (number | null)[] = written.map(() => null);
  const most = Math.min(given.length, written.length);
  let start = 0;
  for (; start < most && given[start] === written[start]; start++) kept[start] = start;
  let end = 0;
  while (end < most - start && given.at(-1 - end) === written.at(-1 - end)) {
    end++;
    kept[written.length - end] = given.length - end;
  }
  const places = new Map<string, number[]>();
  for (let nth = given.length - end - 1; nth >= start; nth--) {
    const line = given[nth] ?? '';
    const list = places.get(line);
    if (list === undefined) places.set(line, [nth]);
    else list.push(nth);
  }
  for (let nth = start, next = start; nth < written.length - end; nth++) {
    const list = places.get(written[nth] ?? '') ?? [];
    while ((list.at(-1) ?? next) < next) list.pop();
    const place = list.pop();
    if (place !== undefined) [kept[nth], next] = [place, place + 1];
  }
  return kept;
}

/** Whether more lines end in CRLF than in LF. */
export function isMostlyCrlf(text: string): boolean {
  const { crlf } = takeLineEnds(text);
  return crlf.filter(Boolean).length * 2 > crlf.length;
}

function countEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
