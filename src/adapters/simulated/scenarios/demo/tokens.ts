/** The demo's feature "Tokens". */
import type { FeatureInput } from '../../scenario.ts';
import { bash, note, report, write } from './calls.ts';

const TOKENS = String.raw`/** Splits the text of a formula (without its leading "=") into tokens. */

// Tried in this order at each position; "y" pins a pattern to that position.
const PATTERNS = [
  ['space', /\s+/y],
  ['number', /\d+(\.\d+)?/y],
  ['text', /"[^"]*"/y],
  ['cell', /[A-Za-z]+[1-9]\d*/y],
  ['name', /[A-Za-z]+/y],
  ['symbol', /[-+*/^(),:]/y],
];

/** Returns [{ type, text }], spaces left out. Throws a SyntaxError at the first character that fits nothing. */
export function tokenize(formula) {
  const tokens = [];
  let at = 0;
  while (at < formula.length) {
    const token = tokenAt(formula, at);
    if (token === null) {
      throw new SyntaxError('unexpected ' + formula[at] + ' at position ' + (at + 1));
    }
    if (token.type !== 'space') tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function tokenAt(formula, at) {
  for (const [type, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const match = pattern.exec(formula);
    if (match !== null) return { type, text: match[0] };
  }
  return null;
}
`;

const TESTS = String.raw`import assert from 'node:assert/strict';
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
`;

export const tokens: FeatureInput = {
  attempts: [
    {
      turns: [
        { text: 'I look at what has been noted so far.', calls: [{ tool: 'notes' }] },
        {
          text: 'A formula is split by one pattern per kind of token, each pinned to the current position.',
          calls: [write('src/tokens.js', TOKENS), write('test/tokens.test.js', TESTS)],
        },
        { text: 'Now the tests.', calls: [bash('node --test')] },
        {
          text: 'They pass. What holds for everyone who comes later goes into a note.',
          calls: [
            note('global', 'There are no dependencies, and none are wanted. "node --test" runs every test in test/.'),
          ],
        },
        {
          text: '',
          calls: [
            report(
              'tokenize() splits a formula into numbers, texts, cells, names and symbols; bad input is named with its position.',
            ),
          ],
        },
      ],
    },
  ],
};
