/** Formats costs as tables. */
import type { Spent } from '../../shared/money.ts';
import type { CostLine, ExecutorLine } from '../../shared/workspace/panel.ts';
import { cost, duration, tokens } from '../text/format.ts';
import { spentColumns } from '../text/spentColumns.ts';
import { type Column, table } from '../text/table.ts';
import { visibleLine } from '../text/visible.ts';

const spentIn = ({ settledUsd, reservedUsd, unsettledUsd }: CostLine | ExecutorLine): Spent => ({
  costUsd: settledUsd,
  reservedUsd,
  unsettledUsd,
});

/**
 * Adds a line for the part of the total that is in none of the lines, e.g. planning, which is in no phase. Adds no line if they make up the total.
 */
export function withRest(lines: readonly CostLine[], total: CostLine, label: string): readonly CostLine[] {
  const rest = (amount: (line: CostLine) => number): number =>
    amount(total) - lines.reduce((sum, line) => sum + amount(line), 0);
  const calls = rest((line) => line.calls);
  if (calls === 0) return lines;
  const other: CostLine = {
    key: '',
    label,
    calls,
    unpricedCalls: rest((line) => line.unpricedCalls),
    settledUsd: rest((line) => line.settledUsd),
    reservedUsd: rest((line) => line.reservedUsd),
    unsettledUsd: rest((line) => line.unsettledUsd),
    inputTokens: rest((line) => line.inputTokens),
    outputTokens: rest((line) => line.outputTokens),
    cacheReadTokens: rest((line) => line.cacheReadTokens),
    cacheWriteTokens: rest((line) => line.cacheWriteTokens),
  };
  return [...lines, other];
}

/** A table with a title for its first column and a line for the total. */
export function costTable(title: string, lines: readonly CostLine[], total: CostLine, width: number): string[] {
  const money = spentColumns('COST', [...lines, total].map(spentIn));
  const columns: readonly Column[] = [
    { title, gives: true },
    { title: 'CALLS', align: 'right', optional: true },
    { title: 'INPUT', align: 'right', optional: true },
    { title: 'CACHED', align: 'right', optional: true },
    { title: 'OUTPUT', align: 'right', optional: true },
    ...money.columns,
  ];
  const row = (line: CostLine): string[] => [
    visibleLine(line.label),
    String(line.calls),
    tokens(line.inputTokens + line.cacheWriteTokens),
    tokens(line.cacheReadTokens),
    tokens(line.outputTokens),
    ...money.cells(spentIn(line)),
  ];
  return table(columns, [...lines, total].map(row), width);
}

/** Results of each executor in each role. */
export function executorTable(lines: readonly ExecutorLine[], width: number): string[] {
  const money = spentColumns('COST', lines.map(spentIn));
  const columns: readonly Column[] = [
    { title: 'AGENT', gives: true },
    { title: 'ROLE' },
    { title: 'TRIES', align: 'right' },
    { title: 'PASSED', align: 'right' },
    { title: 'RATE', align: 'right' },
    { title: 'TIME', align: 'right', optional: true },
    { title: 'UNPRICED', align: 'right', optional: true },
    ...money.columns,
  ];
  const row = (line: ExecutorLine): string[] => [
    visibleLine(line.executor),
    line.role,
    String(line.attempts),
    `${line.passed}/${line.judged}`,
    line.passRate === null ? '-' : `${Math.round(100 * line.passRate)} %`,
    line.medianMs === null ? '-' : duration(line.medianMs),
    String(line.unpricedCalls),
    ...money.cells(spentIn(line), cost(line.settledUsd, line.calls > 0 && line.unpricedCalls === line.calls)),
  ];
  return table(columns, lines.map(row), width);
}
