/** The demo's feature "Output formats": the worker asks its steward before it decides for everyone. */
import type { FeatureInput } from '../../scenario.ts';
import { bash, edit, note, read, report, stuck, write } from './calls.ts';

const FORMATS = String.raw`/** The ways to print a sheet: each takes rows of texts and returns what to print. */
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
`;

const TESTS = String.raw`import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMATS } from '../src/formats.js';

const rows = [['Item', 'Total'], ['Desk', '249.5'], ['To pay', '-3'], ['A|B']];

test('table: numbers to the right, texts to the left', () => {
  assert.equal(FORMATS.table(rows), 'Item    Total\nDesk    249.5\nTo pay     -3\nA|B\n');
});

test('markdown: the first row is the heading, bars are escaped', () => {
  assert.equal(
    FORMATS.markdown(rows),
    '| Item | Total |\n| --- | --- |\n| Desk | 249.5 |\n| To pay | -3 |\n| A\\|B |  |\n',
  );
});

test('csv', () => {
  assert.equal(FORMATS.csv([['a,b', '1']]), '"a,b",1\n');
});
`;

const CLI = String.raw`/** The sheet command: reads a CSV file with formulas and prints the computed sheet. */
import { parseArgs } from 'node:util';
import { parseCsv } from './csv.js';
import { FORMATS } from './formats.js';
import { calculate } from './sheet.js';

export const USAGE = [
  'Usage: sheet FILE.csv [--format table|csv|markdown]',
  '',
  'Computes the formulas of a CSV file and prints the result.',
  '',
].join('\n');

/**
 * Returns { code, out, error }: the exit code (0 done, 1 the file cannot be used, 2 wrong usage) and what to print.
 * readFile(path) returns the text of a file, or throws.
 */
export function main(args, readFile) {
  let options;
  try {
    options = readOptions(args);
  } catch (error) {
    return { code: 2, out: '', error: error.message + '\n\n' + USAGE };
  }
  if (options.help) return { code: 0, out: USAGE, error: '' };
  try {
    const sheet = calculate(parseCsv(readFile(options.file)));
    return { code: 0, out: options.format(sheet.map((row) => row.map(text))), error: '' };
  } catch (error) {
    return { code: 1, out: '', error: options.file + ': ' + error.message + '\n' };
  }
}

function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { format: { type: 'string', default: 'table' }, help: { type: 'boolean', default: false } },
  });
  if (!values.help && positionals.length !== 1) throw new Error('one file is needed');
  if (!Object.hasOwn(FORMATS, values.format)) throw new Error('there is no format ' + values.format);
  return { help: values.help, file: positionals[0], format: FORMATS[values.format] };
}

/** Twelve digits are enough for people, and hide that 0.1 + 0.2 is not quite 0.3. */
function text(value) {
  return typeof value === 'number' ? String(Number(value.toPrecision(12))) : value;
}
`;

export const outputFormats: FeatureInput = {
  attempts: [
    {
      turns: [
        { text: 'I look at what is printed today.', calls: [read('src/cli.js')] },
        {
          text: 'The brief asks for output that people like to read, and the command prints CSV, which programs like to read.',
          calls: [
            stuck(
              'The command prints CSV today. What "sheet FILE" prints without any option is hard to change later.',
              'What should "sheet FILE" print when no format is asked for: a table aligned for people, or CSV for other programs? And should there be Markdown as well?',
            ),
          ],
        },
      ],
    },
    {
      turns: [
        {
          text: 'The steward has answered: a table unless something else is asked for, CSV and Markdown by option.',
          calls: [read('src/cli.js')],
        },
        {
          text: 'The formats are a table of functions, so a fourth one is one more line.',
          calls: [write('src/formats.js', FORMATS), write('test/formats.test.js', TESTS)],
        },
        {
          text: 'Now the option.',
          calls: [
            write('src/cli.js', CLI),
            edit('test/cli.test.js', "run('sums.csv')", "run('sums.csv', '--format', 'csv')"),
          ],
        },
        { text: '', calls: [bash('node --test'), bash('node bin/sheet.js examples/budget.csv')] },
        {
          text: '',
          calls: [
            note(
              'global',
              'Decided by the steward: sheet prints an aligned table by default; csv and markdown are chosen with --format.',
            ),
          ],
        },
        { text: '', calls: [report('--format table, csv and markdown; table is the default, as decided.')] },
      ],
    },
  ],
};
