import assert from 'node:assert/strict';
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
