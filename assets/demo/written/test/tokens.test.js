import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenize } from '../src/tokens.js';

const kinds = (formula) => tokenize(formula).map((token) => token.type + ':' + token.text);

test('numbers and symbols', () => {
  assert.deepEqual(kinds('1.5*(20-3)'), [
    'number:1.5', 'symbol:*', 'symbol:(', 'number:20', 'symbol:-', 'number:3', 'symbol:)',
  ]);
});

test('functions, cells and ranges', () => {
  assert.deepEqual(kinds('SUM(A1:B12)'), [
    'name:SUM', 'symbol:(', 'cell:A1', 'symbol::', 'cell:B12', 'symbol:)',
  ]);
});

test('quoted text keeps its spaces', () => {
  assert.deepEqual(kinds('"to pay"'), ['text:"to pay"']);
});

test('what fits nothing is named with its position', () => {
  assert.throws(() => tokenize('1 + ?'), /unexpected \? at position 5/);
});
