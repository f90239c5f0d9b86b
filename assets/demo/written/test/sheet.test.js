import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculate } from '../src/sheet.js';

test('numbers, texts and formulas', () => {
  assert.deepEqual(calculate([['Pens', '3', '=B1*1.5']]), [['Pens', 3, 4.5]]);
});

test('a formula may need cells that come later', () => {
  assert.deepEqual(calculate([['=B1+1', '=C1+1', '1']]), [[3, 2, 1]]);
});

test('ranges, and cells outside the sheet, which are empty', () => {
  assert.deepEqual(calculate([['1', '2'], ['3', '=SUM(A1:B1, A2)'], ['=Z99+1']]), [[1, 2], [3, 6], [1]]);
});

test('an error shows in its own cell and in every cell that needs it', () => {
  assert.deepEqual(calculate([['=1/0', '=A1+1', '5']]), [['#DIV/0!', '#DIV/0!', 5]]);
  assert.deepEqual(calculate([['=1+', '=NOPE(1)', '=A1:B1']]), [['#ERROR!', '#NAME?', '#VALUE!']]);
});
