/** Lines with their numbers, in the form of `cat -n`. */
import { withLf } from '../../../../core/text/lineEnds.ts';

const WIDTH = 6;

/** `first` is the number of the first line. */
export function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${String(first + index).padStart(WIDTH)}\t${line}`).join('\n');
}

/** The lines of a text. A final line end starts no further line; `\r` before a line end is omitted. */
export function linesOf(text: string): readonly string[] {
  const lines = withLf(text).split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
