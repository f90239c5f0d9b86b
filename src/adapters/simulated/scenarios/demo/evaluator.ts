/** The demo's feature "Evaluator". */
import type { FeatureInput } from '../../scenario.ts';
import { bash, note, read, report, write } from './calls.ts';

const CELL_ERROR = `/** Why a cell has no value. The code is what the cell shows, like #DIV/0!; the message says more. */
export class CellError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}
`;

const FUNCTIONS = `/** The functions a formula may call. Each gets one list of values: ranges are already spread out. */
import { CellError } from './cellError.js';

const numbers = (values) => values.filter((value) => typeof value === 'number');
const total = (values) => numbers(values).reduce((sum, value) => sum + value, 0);

/** As in other spreadsheets, it is 0 when there is no number. */
function extreme(pick, values) {
  return numbers(values).reduce((best, value) => pick(best, value), numbers(values)[0] ?? 0);
}

export const FUNCTIONS = {
  SUM: total,

  COUNT: (values) => numbers(values).length,

  AVERAGE(values) {
    const count = numbers(values).length;
    if (count === 0) throw new CellError('#DIV/0!', 'there is no number to average');
    return total(values) / count;
  },

  MIN: (values) => extreme(Math.min, values),

  MAX: (values) => extreme(Math.max, values),

  /** ROUND(value, digits after the point) */
  ROUND([value, digits = 0]) {
    if (typeof value !== 'number') throw new CellError('#VALUE!', 'ROUND needs a number');
    if (!Number.isInteger(digits) || digits < 0 || digits > 9) {
      throw new CellError('#VALUE!', 'ROUND keeps 0 to 9 digits');
    }
    return Number(value.toFixed(digits));
  },
};
`;

const EVALUATE = `/** Computes the value of a parsed formula: a number or a text. */
import { CellError } from './cellError.js';
import { FUNCTIONS } from './functions.js';

const OPERATORS = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': divide,
  '^': (left, right) => left ** right,
};

/**
 * cells.value(name) gives the value of one cell, cells.range(from, to) a list of values; both may throw.
 * Throws a CellError when the formula has no value.
 */
export function evaluate(tree, cells) {
  switch (tree.type) {
    case 'number':
    case 'text':
      return tree.value;
    case 'cell':
      return cells.value(tree.name);
    case 'negate':
      return -number(evaluate(tree.operand, cells));
    case 'binary':
      return finite(
        OPERATORS[tree.operator](
          number(evaluate(tree.left, cells)),
          number(evaluate(tree.right, cells)),
        ),
      );
    case 'call':
      return call(tree, cells);
    case 'range':
      throw new CellError('#VALUE!', 'a range can only be given to a function');
    default:
      throw new Error('unknown kind of tree: ' + tree.type);
  }
}

function call(tree, cells) {
  if (!Object.hasOwn(FUNCTIONS, tree.name)) {
    throw new CellError('#NAME?', 'there is no function ' + tree.name);
  }
  const values = tree.inputs.flatMap((input) =>
    input.type === 'range' ? cells.range(input.from, input.to) : [evaluate(input, cells)],
  );
  return FUNCTIONS[tree.name](values);
}

function divide(left, right) {
  if (right === 0) throw new CellError('#DIV/0!', 'division by zero');
  return left / right;
}

function finite(result) {
  if (!Number.isFinite(result)) throw new CellError('#NUM!', 'the result is too large, or no real number');
  return result;
}

/** An empty cell counts as 0; other text is no number. */
function number(value) {
  if (value === '') return 0;
  if (typeof value !== 'number') throw new CellError('#VALUE!', value + ' is not a number');
  return value;
}
`;

const TESTS = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluate } from '../src/evaluate.js';
import { parse } from '../src/parser.js';

const cells = {
  value: (name) => ({ A1: 10, A2: 4, A3: '' })[name] ?? 'text',
  range: () => [10, 4, '', 'text'],
};
const value = (formula) => evaluate(parse(formula), cells);
const failsWith = (code, formula) => assert.throws(() => value(formula), { code });

test('arithmetic', () => {
  assert.equal(value('8-3-2'), 3);
  assert.equal(value('2+3*4'), 14);
  assert.equal(value('-(1+2)^2'), 9);
  assert.equal(value('100/10/5'), 2);
});

test('cells; an empty one counts as 0', () => {
  assert.equal(value('A1/A2'), 2.5);
  assert.equal(value('A1+A3'), 10);
});

test('functions skip what is no number', () => {
  assert.equal(value('SUM(A1:A4)'), 14);
  assert.equal(value('AVERAGE(A1:A4, 1)'), 5);
  assert.equal(value('COUNT(A1:A4)'), 2);
  assert.equal(value('MAX(A1:A4) - MIN(A1:A4)'), 6);
  assert.equal(value('MIN(A4)'), 0);
  assert.equal(value('ROUND(2/3, 2)'), 0.67);
});

test('what has no value says which way', () => {
  failsWith('#DIV/0!', '1/A3');
  failsWith('#DIV/0!', 'AVERAGE()');
  failsWith('#VALUE!', 'A1*B1');
  failsWith('#VALUE!', 'A1:A2+1');
  failsWith('#VALUE!', 'ROUND(A1, -1)');
  failsWith('#NUM!', '(-8)^0.5');
  failsWith('#NAME?', 'NOPE(1)');
});
`;

export const evaluator: FeatureInput = {
  attempts: [
    {
      turns: [
        { text: 'First the shape of the tree that the parser gives.', calls: [read('src/parser.js')] },
        {
          text: 'Errors that a cell shows are a class of their own, and the functions are a table.',
          calls: [write('src/cellError.js', CELL_ERROR), write('src/functions.js', FUNCTIONS)],
        },
        {
          text: 'Now the evaluation itself. Where cells come from is left to the caller.',
          calls: [write('src/evaluate.js', EVALUATE), write('test/evaluate.test.js', TESTS)],
        },
        { text: '', calls: [bash('node --test')] },
        {
          text: '',
          calls: [
            note(
              'category',
              'Two kinds of mistake: text that is no formula is a SyntaxError; a formula without a value is a CellError with the code that its cell shows.',
            ),
          ],
        },
        {
          text: '',
          calls: [
            report(
              'evaluate() computes operators, six functions, cells and ranges; what has no value throws a CellError.',
            ),
          ],
        },
      ],
    },
  ],
};
