/** Columns of text that fit a width. */
import { displayWidth, padEnd, padStart, truncate } from './width.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** The one that gives way when the table is too wide. */
  readonly gives?: boolean;
}

const GAP = '  ';
const LEAST = 8;

/**
 * Lines of a table with a line of titles, none wider than `width` if the column that gives way can make it so. Cells must be
 * visible text on one line.
 */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const widths = columns.map((column, index) =>
    Math.max(displayWidth(column.title), ...rows.map((row) => displayWidth(row[index] ?? ''))),
  );
  const over = widths.reduce((sum, each) => sum + each, 0) + GAP.length * (columns.length - 1) - width;
  const giving = columns.findIndex((column) => column.gives);
  if (over > 0 && giving >= 0) widths[giving] = Math.max(LEAST, (widths[giving] ?? 0) - over);
  const line = (cells: readonly string[]): string =>
    columns
      .map((column, index) => {
        const cell = truncate(cells[index] ?? '', widths[index] ?? 0);
        return (column.align === 'right' ? padStart : padEnd)(cell, widths[index] ?? 0);
      })
      .join(GAP)
      .trimEnd();
  return [line(columns.map((column) => column.title)), ...rows.map(line)];
}
