import assert from 'node:assert/strict';
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
