/** The ways to print a sheet: each takes rows of texts and returns what to print. */
import { formatCsv } from './csv.js';

export const FORMATS = { table, csv: formatCsv, markdown };

/** Columns aligned for the eye: numbers to the right, everything else to the left. */
function table(rows) {
  const widths = columnWidths(rows);
  const line = (row) => widths.map((width, column) => pad(row[column] ?? '', width)).join('  ');
  return rows.map((row) => line(row).trimEnd() + '\n').join('');
}

/** The first row becomes the heading. */
function markdown(rows) {
  const widths = columnWidths(rows);
  const cell = (text = '') => text.replaceAll('|', '\\|');
  const line = (row) => '| ' + widths.map((_, column) => cell(row[column])).join(' | ') + ' |\n';
  const [heading = [], ...body] = rows;
  return line(heading) + line(widths.map(() => '---')) + body.map(line).join('');
}

function columnWidths(rows) {
  const widths = [];
  for (const row of rows) {
    row.forEach((text, column) => {
      widths[column] = Math.max(widths[column] ?? 0, text.length);
    });
  }
  return widths;
}

function pad(text, width) {
  const isNumber = text !== '' && Number.isFinite(Number(text));
  return isNumber ? text.padStart(width) : text.padEnd(width);
}
