import assert from 'node:assert/strict';
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
