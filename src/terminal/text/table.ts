/** Columns of text that fit a width. */
import { displayWidth, padEnd, padStart, truncate } from './width.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** Whether the column is shortened when the table is too wide. */
  readonly gives?: boolean;
  /** Left out when giving way is not enough, the last one first. */
  readonly optional?: boolean;
}

interface Sized {
  readonly column: Column;
  readonly index: number;
  readonly width: number;
}

const GAP = '  ';
/** Minimum width of the shrinking column, as long as another one can be left out. */
const COMFORT = 16;
const LEAST = 8;

/**
 * Lines of a table with a line of titles, none wider than `width` if shortening and leaving out columns is enough. Cells must be visible text on one
 * line.
 */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const sized = fitted(
    columns.map((column, index) => ({
      column,
      index,
      width: Math.max(displayWidth(column.title), ...rows.map((row) => displayWidth(row[index] ?? ''))),
    })),
    width,
  );
  const line = (cells: readonly string[]): string =>
    sized
      .map(({ column, index, width: each }) => {
        const pad = column.align === 'right' ? padStart : padEnd;
        return pad(truncate(cells[index] ?? '', each), each);
      })
      .join(GAP)
      .trimEnd();
  return [line(columns.map((column) => column.title)), ...rows.map(line)];
}

function fitted(sized: readonly Sized[], width: number): readonly Sized[] {
  const over = sized.reduce((sum, each) => sum + each.width, 0) + GAP.length * (sized.length - 1) - width;
  const giving = sized.find(({ column }) => column.gives);
  const left = (giving?.width ?? 0) - over;
  if (over <= 0) return sized;
  const out = sized.findLast(({ column }) => column.optional);
  if (out !== undefined && left < COMFORT)
    return fitted(
      sized.filter((each) => each !== out),
      width,
    );
  return sized.map((each) => (each === giving ? { ...each, width: Math.max(LEAST, left) } : each));
}
