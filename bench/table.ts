/** How a benchmark shows its figures. */

export type Cell = string | number;

/** Columns as wide as their longest cell; numbers to the right. */
function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[], pad: readonly boolean[]): string =>
    row
      .map((cell, at) => (pad[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  const numeric = head.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  return cells.map((row) => line(row, numeric)).join('\n');
}

export function show(title: string, head: readonly string[], rows: readonly (readonly Cell[])[]): void {
  console.log(`\n${title}\n${table(head, rows)}`);
}

export function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
