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
  const [given, written] = [before.split('\n'), after.split('\n')];
  const most = Math.min(given.length, written.length) - 1;
  let end = 0;
  while (end < most && given.at(-2 - end) === written.at(-2 - end)) end++;
  const result: boolean[] = [];
  let [line, at] = [0, 0];
  for (const place of places) {
    const first = line + countEnds(text.slice(at, place));
    while (line < first) result.push(crlf[line++] === true);
    const last = first + given.length - 1;
    const own = crlf[first] ?? crlf[first - 1] ?? false;
    // Equal lines at the end are the same lines. Any other line has the end of the one that it replaces.
    for (let nth = 0; nth < written.length - 1 - end; nth++) {
      const replaced = first + nth < last - end ? crlf[first + nth] : undefined;
      result.push(replaced ?? own);
    }
    for (let nth = last - end; nth < last; nth++) result.push(crlf[nth] === true);
    [line, at] = [last, place + before.length];
  }
  while (line < crlf.length) result.push(crlf[line++] === true);
  return result;
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
