import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '../src/parser.js';

/** The tree with every grouping written out. */
function show(tree) {
  switch (tree.type) {
    case 'binary':
      return '(' + show(tree.left) + tree.operator + show(tree.right) + ')';
    case 'negate':
      return '-' + show(tree.operand);
    case 'call':
      return tree.name + '(' + tree.inputs.map(show).join(',') + ')';
    case 'range':
      return tree.from + ':' + tree.to;
    case 'cell':
      return tree.name;
    default:
      return String(tree.value);
  }
}

const groups = (formula) => show(parse(formula));

test('products bind tighter than sums, parentheses tighter than both', () => {
  assert.equal(groups('1+2*3'), '(1+(2*3))');
  assert.equal(groups('(1+2)*3'), '((1+2)*3)');
});

test('subtraction and division group from the left', () => {
  assert.equal(groups('8-3-2'), '((8-3)-2)');
  assert.equal(groups('100/10/5'), '((100/10)/5)');
});

test('powers group from the right', () => {
  assert.equal(groups('2^3^2'), '(2^(3^2))');
});

test('cells, ranges and calls, in capitals', () => {
  assert.equal(groups('sum(a1:b2, c3, -1)'), 'SUM(A1:B2,C3,-1)');
});

test('mistakes are named', () => {
  assert.throws(() => parse('1+'), /ends too early/);
  assert.throws(() => parse('(1'), /expected \)/);
  assert.throws(() => parse('1 2'), /unexpected 2/);
  assert.throws(() => parse('A1:3'), /a range ends with a cell/);
});
