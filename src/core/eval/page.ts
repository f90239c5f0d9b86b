/** Writes the results of an eval as one HTML page that needs nothing else: no script, no font, no request. */
import { usd } from '../money/view/usd.ts';
import type { Cell, EvalReport, TaskReport, VariantReport } from './report.ts';
import type { Mean } from './statistics.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --bar: #3b82f6; --range: #8888; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 2rem; }
caption { text-align: left; font-weight: 600; padding-bottom: .4rem; }
th, td { border-bottom: 1px solid var(--line); padding: .4rem .6rem; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.range { color: GrayText; font-size: .85em; display: block; }
.reason { color: GrayText; font-size: .85em; white-space: pre-wrap; overflow-wrap: anywhere; max-width: 28rem; }
svg { display: block; width: 100%; min-width: 8rem; height: 14px; overflow: visible; }
.wide { overflow-x: auto; }
th[scope=row] { min-width: 9rem; }
.reason { min-width: 9rem; }
`;

const percent = (part: number): string => `${Math.round(100 * part)} %`;
const count = (value: number): string => value.toFixed(1);
const seconds = (value: number): string => `${value.toFixed(1)} s`;

export function evalPage(report: EvalReport): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Eval</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Eval</h1>
<p>${escaped(summary(report))}</p>
${variantTable(report)}
${taskTable(report)}
${droppedTable(report)}
<p>A range is an interval of 95 %: Wilson's for a pass rate, Student's t for a mean. Runs of one task are not independent, so the
true ranges are wider if the same tasks are repeated.</p>
</body>
</html>
`;
}

function summary({ spentUsd, budgetUsd, runs, missing, stopped, otherReleases }: EvalReport): string {
  const parts = [`${runs - missing} of ${runs} runs have a result. Spent ${usd(spentUsd)} of ${usd(budgetUsd)}.`];
  if (stopped !== null) parts.push(`Stopped: ${stopped}.`);
  if (otherReleases.length > 0) parts.push(`Some results come from other versions: ${otherReleases.join(', ')}.`);
  return parts.join(' ');
}

/** A table that scrolls by itself in a narrow window, by mouse and by keyboard. */
const wide = (label: string, table: string): string =>
  `<div class="wide" role="region" aria-label="${label}" tabindex="0">${table}</div>`;

const cell = (content: string): string => `<td class="number">${content}</td>`;

function meanCell(mean: Mean | null, shown: (value: number) => string, mark = ''): string {
  if (mean === null) return cell('–');
  const { interval } = mean;
  const range = interval === null ? '' : `<span class="range">${shown(interval.low)} to ${shown(interval.high)}</span>`;
  return cell(`${shown(mean.mean)}${mark}${range}`);
}

/** The interval as a line, and the rate as a dot on it. */
function rateBar({ rate, rateInterval }: VariantReport): string {
  const at = (part: number): string => (100 * part).toFixed(1);
  const dot = rate === null ? '' : `<circle cx="${at(rate)}%" cy="7" r="4" fill="var(--bar)"/>`;
  return `<svg role="img" aria-label="${escaped(rateText({ rate, rateInterval }))}"><line x1="0" x2="100%" y1="7" y2="7" stroke="var(--line)"/><line x1="${at(rateInterval.low)}%" x2="${at(rateInterval.high)}%" y1="7" y2="7" stroke="var(--range)" stroke-width="4"/>${dot}</svg>`;
}

function rateText({ rate, rateInterval }: Pick<VariantReport, 'rate' | 'rateInterval'>): string {
  return rate === null
    ? 'no result'
    : `${percent(rate)}, ${percent(rateInterval.low)} to ${percent(rateInterval.high)}`;
}

function variantTable({ variants }: EvalReport): string {
  const rows = variants.map((variant) => {
    const { name, worker, passed, runs, missing, costPerPassedUsd, unpriced } = variant;
    const mark = unpriced ? '*' : '';
    const who = worker === null ? '' : `<span class="range">${escaped(`${worker.executor}, ${worker.model}`)}</span>`;
    const open = missing === 0 ? '' : `<span class="range">${missing} missing</span>`;
    return `<tr><th scope="row">${escaped(name)}${who}</th>${cell(`${passed} of ${runs}${open}`)}<td>${rateBar(variant)}<span class="range">${rateText(variant)}</span></td>${meanCell(variant.costUsd, usd, mark)}${cell(costPerPassedUsd === null ? '–' : usd(costPerPassedUsd) + mark)}${meanCell(variant.turns, count)}${meanCell(variant.seconds, seconds)}</tr>`;
  });
  const note = variants.some(({ unpriced }) => unpriced)
    ? '<p>* Some calls have no price: their cost is what the agent reported.</p>'
    : '';
  const titles = ['Cost of a run', 'Cost per passed run', 'Turns', 'Time'].map(
    (title) => `<th scope="col" class="number">${title}</th>`,
  );
  const table = `<table><caption>Variants</caption><thead><tr><th scope="col">Variant</th><th scope="col" class="number">Passed</th><th scope="col">Pass rate</th>${titles.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
  return wide('Variants', table) + note;
}

function taskTable({ tasks, variants }: EvalReport): string {
  const titles = variants.map(({ name }) => `<th scope="col">${escaped(name)}</th>`).join('');
  const row = ({ id, title, category, cells }: TaskReport): string =>
    `<tr><th scope="row">${escaped(title)}<span class="range">${escaped(id.slice(0, 40))}</span></th><td>${escaped(category)}</td>${cells.map(taskCell).join('')}</tr>`;
  const table = `<table><caption>Tasks</caption><thead><tr><th scope="col">Task</th><th scope="col">Category</th>${titles}</tr></thead><tbody>${tasks.map(row).join('\n')}</tbody></table>`;
  return wide('Tasks', table);
}

function taskCell({ runs, passed, costUsd, reason }: Cell): string {
  if (runs === 0) return '<td>–</td>';
  const why = reason === '' ? '' : `<div class="reason">${escaped(reason)}</div>`;
  return `<td>${passed} of ${runs}, ${usd(costUsd ?? 0)}${why}</td>`;
}

function droppedTable({ dropped }: EvalReport): string {
  if (dropped.length === 0) return '';
  const rows = dropped.map(({ name, reason }) => `<tr><td>${escaped(name)}</td><td>${escaped(reason)}</td></tr>`);
  return `<details><summary>${dropped.length} not used</summary><table><thead><tr><th scope="col">Commit or folder</th><th scope="col">Reason</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></details>`;
}
