/** Formats the results of an eval: tables for a person, and rows for a spreadsheet. */
import { runName } from '../../core/eval/missingRuns.ts';
import type { EvalReport, TaskReport, VariantReport } from '../../core/eval/report.ts';
import type { Mean } from '../../core/eval/statistics.ts';
import type { Evaluated } from '../../engine/eval/evaluation.ts';
import { evalResultSchema } from '../../shared/eval/records.ts';
import { type Context, columns } from '../screen/context.ts';
import { dollars, duration, plural } from '../text/format.ts';
import { type Column, table } from '../text/table.ts';
import { visibleLine } from '../text/visible.ts';

/** Dropped commits, and cells with failed runs, that are listed. */
const MAX_LISTED = 20;

export function evalText(context: Context, report: EvalReport): string {
  const width = columns(context);
  const blocks = [
    table(VARIANT_COLUMNS, report.variants.map(variantRow), width).join('\n'),
    ...(report.tasks.length === 0 ? ['No task was found.'] : [taskTable(report, width).join('\n')]),
    failedText(report),
    droppedText(report),
    notesText(report),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

const VARIANT_COLUMNS: readonly Column[] = [
  { title: 'VARIANT', gives: true },
  { title: 'PASSED', align: 'right' },
  { title: 'RATE (95 %)', align: 'right' },
  { title: 'COST (95 %)', align: 'right' },
  { title: 'PER PASSED', align: 'right' },
  { title: 'TURNS', align: 'right', optional: true },
  { title: 'TIME', align: 'right', optional: true },
];

const percent = (part: number): string => `${Math.round(100 * part)} %`;

function variantRow(variant: VariantReport): string[] {
  const { rate, rateInterval, costPerPassedUsd, unpriced } = variant;
  const interval = `${Math.round(100 * rateInterval.low)}-${percent(rateInterval.high)}`;
  const mark = unpriced ? '*' : '';
  return [
    visibleLine(variant.name),
    `${variant.passed} of ${variant.runs}`,
    rate === null ? '-' : `${percent(rate)} (${interval})`,
    `${withInterval(variant.costUsd, dollars)}${mark}`,
    costPerPassedUsd === null ? '-' : `${dollars(costPerPassedUsd)}${mark}`,
    withInterval(variant.turns, (turns) => turns.toFixed(1)),
    withInterval(variant.seconds, (seconds) => duration(1_000 * seconds)),
  ];
}

function withInterval(mean: Mean | null, shown: (value: number) => string): string {
  if (mean === null) return '-';
  return mean.interval === null
    ? shown(mean.mean)
    : `${shown(mean.mean)} (${shown(mean.interval.low)}-${shown(mean.interval.high)})`;
}

function taskTable({ tasks, variants }: EvalReport, width: number): string[] {
  const titles: readonly Column[] = [
    { title: 'TASK', gives: true },
    { title: 'CATEGORY', optional: true },
    ...variants.map(({ name }) => ({ title: visibleLine(name), align: 'right' as const })),
  ];
  const row = (task: TaskReport): string[] => [
    visibleLine(task.title),
    visibleLine(task.category),
    ...task.cells.map(({ runs, passed, costUsd }) =>
      runs === 0 ? '-' : `${passed} of ${runs}, ${dollars(costUsd ?? 0)}`,
    ),
  ];
  return table(titles, tasks.map(row), width);
}

/** The first sentence of a reason; the output of the tests is on the page. */
const firstOf = (reason: string): string => reason.split(/: \[|\n/, 1)[0] ?? '';

function failedText({ tasks, variants }: EvalReport): string {
  const failed = tasks.flatMap(({ title, cells }) =>
    cells.flatMap(({ reason }, at) =>
      reason === '' ? [] : [{ name: `${title}, ${variants[at]?.name ?? ''}`, reason: firstOf(reason) }],
    ),
  );
  return listed('Failed (--page FILE shows the output of the tests):', failed);
}

const droppedText = ({ dropped }: EvalReport): string => listed('Not used:', dropped);

function listed(title: string, all: readonly { readonly name: string; readonly reason: string }[]): string {
  if (all.length === 0) return '';
  const shown = all.slice(0, MAX_LISTED).map(({ name, reason }) => `  ${visibleLine(name)}: ${visibleLine(reason)}`);
  const more = all.length - shown.length;
  return [title, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}

function notesText(report: EvalReport): string {
  const { spentUsd, budgetUsd, runs, missing, stopped, otherReleases, variants } = report;
  return [
    `Spent ${dollars(spentUsd)} of ${dollars(budgetUsd)} on ${plural(runs - missing, 'run')} of ${runs}, those of earlier calls included.`,
    ...(stopped === null ? [] : [`Stopped: ${visibleLine(stopped)}`]),
    ...(variants.some(({ unpriced }) => unpriced)
      ? ['* Some calls have no price: their cost is what the agent reported.']
      : []),
    ...(variants.some(({ worker }) => worker?.provider === 'simulated')
      ? ['Simulated models cost no real money.']
      : []),
    ...(otherReleases.length === 0
      ? []
      : [`Some results come from other versions: ${otherReleases.map(visibleLine).join(', ')}.`]),
  ].join('\n');
}

const FIELDS = Object.keys(evalResultSchema.shape) as (keyof typeof evalResultSchema.shape)[];

/** A cell that a spreadsheet does not run as a formula. */
function csvCell(value: unknown): string {
  if (value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The results of this eval, void ones included, one per line. */
export function evalCsv({ results, runs }: Pick<Evaluated, 'results' | 'runs'>): string {
  const wanted = new Set(runs.map(runName));
  const lines = results
    .filter((result) => wanted.has(runName(result)))
    .map((result) => FIELDS.map((field) => csvCell(result[field])).join(','));
  return `${[FIELDS.join(','), ...lines].join('\n')}\n`;
}
