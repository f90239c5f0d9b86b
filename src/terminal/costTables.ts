/** Money by what it went to, as tables. */
import type { CostLine } from '../core/views/costs.ts';
import { dollars, tokens } from './text/format.ts';
import { type Column, table } from './text/table.ts';
import { visibleLine } from './text/visible.ts';

/** What counts against limits: settled, in flight and perhaps billed. */
export function countedUsd(line: CostLine): number {
  return line.settledUsd + line.reservedUsd + line.unsettledUsd;
}

/** A table with a title for its first column and a line for the total. */
export function costTable(title: string, lines: readonly CostLine[], total: CostLine, width: number): string[] {
  const columns: readonly Column[] = [
    { title, gives: true },
    { title: 'CALLS', align: 'right' },
    { title: 'INPUT', align: 'right' },
    { title: 'CACHED', align: 'right' },
    { title: 'OUTPUT', align: 'right' },
    { title: 'COST', align: 'right' },
  ];
  const row = (line: CostLine): string[] => [
    visibleLine(line.label),
    String(line.calls),
    tokens(line.inputTokens + line.cacheWriteTokens),
    tokens(line.cacheReadTokens),
    tokens(line.outputTokens),
    dollars(countedUsd(line)),
  ];
  return table(columns, [...lines, total].map(row), width);
}
