/** Computes the value of a parsed formula: a number or a text. */
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
