import assert from 'node:assert/strict';
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
