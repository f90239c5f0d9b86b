/** Describes the result of an edit for the model: the lines around the new text, or why the edit does not apply. */
import { cutText } from '../../../../core/text/cutText.ts';
import { type LineDifference, type MissingText, spaceless } from '../../../../core/text/nearest/nearestText.ts';
import { type EditedPart, type EditFault, lineAt } from '../../../../core/text/textEdits.ts';
import { linesOf, numbered } from './numbered.ts';

/** Lines before and after what was written. */
const AROUND = 3;
const MAX_LINES = 80;
const MAX_LINE = 500;
const MAX_MATCHES = 20;
const MAX_DIFFERENCES = 10;

/** The edited places with their numbers, with `…` between places that are apart. */
export function aroundEdits(text: string, parts: readonly EditedPart[]): string {
  const lines = linesOf(text);
  const shown: string[] = [];
  let last = 0;
  for (const { from, to } of parts) {
    const first = Math.max(last + 1, lineAt(text, from) - AROUND);
    const end = Math.min(lines.length, lineAt(text, to) + AROUND);
    if (first > last + 1 && shown.length > 0) shown.push('…');
    const room = MAX_LINES - shown.length;
    const given = lines.slice(first - 1, end).map(short);
    shown.push(...given.slice(0, room).map((line, index) => numbered([line], first + index)));
    last = Math.max(last, end);
    if (given.length > room) return [...shown, '[… more lines that were edited]'].join('\n');
  }
  return shown.join('\n');
}

/** A clause for after "edit 2 of 3: ". */
export function faultWords(text: string, fault: EditFault): string {
  switch (fault.kind) {
    case 'empty':
      return 'old_string is empty. To create a file, or replace its whole text, call write.';
    case 'same':
      return 'old_string and new_string are the same; a file keeps its line ends.';
    case 'missing':
      return missingWords(fault.nearest);
    case 'ambiguous':
      return ambiguousWords(text, fault.lines);
  }
}

function ambiguousWords(text: string, at: readonly number[]): string {
  const lines = text.split('\n');
  const listed = at.slice(0, MAX_MATCHES).map((line) => numbered([short(lines[line - 1] ?? '')], line));
  const rest = at.length > MAX_MATCHES ? [`[… ${at.length - MAX_MATCHES} more]`] : [];
  return [
    `old_string occurs ${at.length} times. Add lines around the one that you mean, or set replace_all. It starts in these lines:`,
    ...listed,
    ...rest,
  ].join('\n');
}

function missingWords(nearest: MissingText | null): string {
  if (nearest === null) return 'old_string does not occur, and no part of the file resembles it. Read the file again.';
  const { line, found, differences } = nearest;
  const onlySpaces = differences.every(({ given, found: there }) => bare(given) === bare(there));
  const listed = differences.slice(0, MAX_DIFFERENCES).flatMap((one) => differenceLines(one, onlySpaces));
  const rest =
    differences.length > MAX_DIFFERENCES ? [`[… ${differences.length - MAX_DIFFERENCES} more lines differ]`] : [];
  return [
    `old_string does not occur. The nearest text:`,
    numbered(found.map(short), line),
    onlySpaces
      ? 'It differs from old_string in spaces alone (· is a space, → is a tab, ␍ is a carriage return):'
      : 'It differs from old_string in these lines:',
    ...listed,
    ...rest,
  ].join('\n');
}

const bare = (text: string | null): string => spaceless(text ?? '');

function differenceLines({ line, given, found }: LineDifference, visible: boolean): readonly string[] {
  const shown = (text: string | null): string => {
    if (text === null) return '(no such line)';
    return short(visible ? visibleSpaces(text) : visibleEnds(text));
  };
  return [`line ${line}, old_string: ${shown(given)}`, `line ${line}, file:       ${shown(found)}`];
}

const visibleSpaces = (text: string): string => text.replaceAll(' ', '·').replaceAll('\t', '→').replaceAll('\r', '␍');

/** Spaces inside of the text stay, for readability. */
const visibleEnds = (text: string): string => text.replaceAll(/^\s+|\s+$/g, visibleSpaces);

const short = (line: string): string => cutText(line, MAX_LINE);
