/** The demo's feature "CSV files". */
import type { FeatureInput } from '../../scenario.ts';
import { bash, report, write } from './calls.ts';

const CSV = String.raw`/** Comma-separated values: rows of texts, quoted where they hold a comma, a quote or a line break. */

/** One field and what ends it: a comma, a line break or the end of the text. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** Throws a SyntaxError that names the line when a quote is not closed or stands inside a field. */
export function parseCsv(text) {
  const rows = [];
  let row = [];
  let at = 0;
  while (at < text.length || row.length > 0) {
    FIELD.lastIndex = at;
    const match = FIELD.exec(text);
    if (match === null) throw new SyntaxError('line ' + (rows.length + 1) + ': misplaced quote');
    const [whole, quoted, plain, end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

export function formatCsv(rows) {
  return rows.map((row) => row.map(quote).join(',') + '\n').join('');
}

function quote(field) {
  return /[",\r\n]/.test(field) ? '"' + field.replaceAll('"', '""') + '"' : field;
}
`;

const TESTS = String.raw`import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCsv, parseCsv } from '../src/csv.js';

test('rows and fields, empty ones too', () => {
  assert.deepEqual(parseCsv('a,b\n,2\n'), [['a', 'b'], ['', '2']]);
  assert.deepEqual(parseCsv('a,\n'), [['a', '']]);
  assert.deepEqual(parseCsv(''), []);
});

test('the last line needs no line break, and Windows line breaks are fine', () => {
  assert.deepEqual(parseCsv('a,b\r\nc,d'), [['a', 'b'], ['c', 'd']]);
  assert.deepEqual(parseCsv('a,'), [['a', '']]);
});

test('quotes protect commas, quotes and line breaks', () => {
  assert.deepEqual(parseCsv('"1,5","say ""hi""","two\nlines"\n'), [['1,5', 'say "hi"', 'two\nlines']]);
});

test('a misplaced quote is an error with its line', () => {
  assert.throws(() => parseCsv('ok\n"open'), /line 2: misplaced quote/);
  assert.throws(() => parseCsv('a"b'), /line 1/);
});

test('what is written can be read again', () => {
  const rows = [['plain', 'a,b', 'say "hi"', ''], ['two\nlines', '3', '', 'x']];
  assert.deepEqual(parseCsv(formatCsv(rows)), rows);
});
`;

export const csvFiles: FeatureInput = {
  attempts: [
    {
      turns: [
        {
          text: 'Formulas such as =ROUND(D5, 2) hold commas, so quoting has to be right in both directions.',
          calls: [write('src/csv.js', CSV), write('test/csv.test.js', TESTS)],
        },
        { text: '', calls: [bash('node --test')] },
        {
          text: '',
          calls: [
            report('parseCsv() and formatCsv() read and write quoted fields; what is written can be read again.'),
          ],
        },
      ],
    },
  ],
};
