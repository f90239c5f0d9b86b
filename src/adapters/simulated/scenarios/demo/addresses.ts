/** The demo's feature "Cell addresses". */
import type { FeatureInput } from '../../scenario.ts';
import { bash, report, write } from './calls.ts';

const ADDRESSES = String.raw`/** Cell addresses: letters for the column, from A to Z and on with AA; a number from 1 for the row. */

const LETTERS = 26;
const CODE_OF_A = 'A'.charCodeAt(0);

/** 'B3' is { column: 1, row: 2 }: both count from 0. */
export function parseAddress(address) {
  const [, letters, digits] = /^([A-Z]+)([1-9]\d*)$/.exec(address);
  let column = 0;
  for (const letter of letters) column = column * LETTERS + letter.charCodeAt(0) - CODE_OF_A + 1;
  return { column: column - 1, row: Number(digits) - 1 };
}

export function formatAddress({ column, row }) {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / LETTERS)) {
    letters = String.fromCharCode(CODE_OF_A + ((rest - 1) % LETTERS)) + letters;
  }
  return letters + (row + 1);
}

/** Every address of the rectangle between two corners, row by row. The corners may come in any order. */
export function addressesBetween(from, to) {
  const [a, b] = [parseAddress(from), parseAddress(to)];
  const addresses = [];
  for (let row = Math.min(a.row, b.row); row <= Math.max(a.row, b.row); row++) {
    for (let column = Math.min(a.column, b.column); column <= Math.max(a.column, b.column); column++) {
      addresses.push(formatAddress({ column, row }));
    }
  }
  return addresses;
}
`;

const TESTS = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesBetween, formatAddress, parseAddress } from '../src/addresses.js';

test('an address is a column and a row, from 0', () => {
  assert.deepEqual(parseAddress('A1'), { column: 0, row: 0 });
  assert.deepEqual(parseAddress('AA10'), { column: 26, row: 9 });
});

test('every column has one name', () => {
  for (const address of ['A1', 'Z9', 'AA1', 'AZ2', 'BA3', 'ZZ4', 'AAA5']) {
    assert.equal(formatAddress(parseAddress(address)), address);
  }
});

test('a range is its cells, row by row, whichever corners are given', () => {
  assert.deepEqual(addressesBetween('A1', 'B2'), ['A1', 'B1', 'A2', 'B2']);
  assert.deepEqual(addressesBetween('B2', 'A1'), ['A1', 'B1', 'A2', 'B2']);
  assert.deepEqual(addressesBetween('C7', 'C7'), ['C7']);
});
`;

export const addresses: FeatureInput = {
  attempts: [
    {
      turns: [
        {
          text: 'Columns are numbers in base 26 without a zero: after Z comes AA.',
          calls: [write('src/addresses.js', ADDRESSES), write('test/addresses.test.js', TESTS)],
        },
        { text: '', calls: [bash('node --test')] },
        { text: '', calls: [report('Addresses are read and written both ways, and a range is expanded row by row.')] },
      ],
    },
  ],
};
