/** The demo's feature "Recalculation": its tests pass, but the review finds what they do not ask: cells in a circle. */
import type { FeatureInput } from '../../scenario.ts';
import { bash, edit, note, read, report, write } from './calls.ts';

const VALUE = `      if (!values.has(address)) values.set(address, valueOf(textAt(rows, address), cells));
      const value = values.get(address);
`;

const SHEET = String.raw`/** Computes a whole sheet: rows of texts in, rows of values out. */
import { addressesBetween, formatAddress, parseAddress } from './addresses.js';
import { CellError } from './cellError.js';
import { evaluate } from './evaluate.js';
import { parse } from './parser.js';

/**
 * A text that starts with "=" is a formula, one that looks like a number is a number. Each value is a number, a text,
 * or the code of an error such as #DIV/0!.
 */
export function calculate(rows) {
  const values = new Map();
  const cells = {
    value(address) {
      if (!values.has(address)) values.set(address, valueOf(textAt(rows, address), cells));
      const value = values.get(address);
      if (value instanceof CellError) throw value;
      return value;
    },
    range: (from, to) => addressesBetween(from, to).map((address) => cells.value(address)),
  };
  return rows.map((texts, row) => texts.map((_, column) => shown(cells, formatAddress({ column, row }))));
}

function textAt(rows, address) {
  const { column, row } = parseAddress(address);
  return rows[row]?.[column] ?? '';
}

function valueOf(text, cells) {
  if (!text.startsWith('=')) return isNumber(text) ? Number(text) : text;
  try {
    return evaluate(parse(text.slice(1)), cells);
  } catch (error) {
    if (error instanceof CellError) return error;
    if (error instanceof SyntaxError) return new CellError('#ERROR!', error.message);
    throw error;
  }
}

function isNumber(text) {
  return /^\s*-?\d+(\.\d+)?\s*$/.test(text);
}

function shown(cells, address) {
  try {
    return cells.value(address);
  } catch (error) {
    if (error instanceof CellError) return error.code;
    throw error;
  }
}
`;

const LAST_TEST = `  assert.deepEqual(calculate([['=1+', '=NOPE(1)', '=A1:B1']]), [['#ERROR!', '#NAME?', '#VALUE!']]);
});
`;

const TESTS = `import assert from 'node:assert/strict';
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
`;

const UNDER_WAY = `/** Stands for the value of a cell while that value is being computed. */
const UNDER_WAY = Symbol('under way');

`;

const GUARDED_VALUE = `      if (!values.has(address)) {
        values.set(address, UNDER_WAY);
        values.set(address, valueOf(textAt(rows, address), cells));
      }
      const value = values.get(address);
      if (value === UNDER_WAY) throw new CellError('#CYCLE!', address + ' needs its own value');
`;

const CYCLE_TEST = `
test('cells that need each other show #CYCLE!, the rest of the sheet is computed', () => {
  assert.deepEqual(calculate([['=B1', '=A1', '=1+1']]), [['#CYCLE!', '#CYCLE!', 2]]);
  assert.deepEqual(calculate([['=A1'], ['=SUM(A1:A3)'], ['4']]), [['#CYCLE!'], ['#CYCLE!'], [4]]);
});
`;

const CALCULATE_COMMENT = '/**\n * A text that starts with "=" is a formula';

export const recalculation: FeatureInput = {
  attempts: [
    {
      turns: [
        {
          text: 'Everything comes together here.',
          calls: [read('src/evaluate.js'), read('src/addresses.js')],
        },
        {
          text: 'A cell is computed when it is first needed, and kept.',
          calls: [write('src/sheet.js', SHEET), write('test/sheet.test.js', TESTS)],
        },
        { text: '', calls: [bash('node --test')] },
        {
          text: '',
          calls: [
            report('calculate() computes every cell of a sheet, in whatever order the formulas need each other.'),
          ],
        },
      ],
    },
    {
      turns: [
        {
          text: 'The review is right: cells that need each other recurse without end. I read the code again.',
          calls: [read('src/sheet.js')],
        },
        {
          text: 'First a test that shows it, and a mark for a cell whose value is being computed.',
          calls: [
            edit('test/sheet.test.js', LAST_TEST, LAST_TEST + CYCLE_TEST),
            edit('src/sheet.js', CALCULATE_COMMENT, UNDER_WAY + CALCULATE_COMMENT),
          ],
        },
        { text: 'A cell that meets its own mark is in a circle.', calls: [edit('src/sheet.js', VALUE, GUARDED_VALUE)] },
        { text: '', calls: [bash('node --test')] },
        {
          text: '',
          calls: [
            note(
              'feature',
              'A cell under way holds the mark UNDER_WAY; whoever meets it gets #CYCLE!. New kinds of lookup must go through cells.value().',
            ),
          ],
        },
        {
          text: '',
          calls: [
            report(
              'Circles show #CYCLE! in every cell that is part of one or needs one; the rest of the sheet is computed. Tested.',
            ),
          ],
        },
      ],
    },
  ],
};
