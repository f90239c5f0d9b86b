/** Cell addresses: letters for the column, from A to Z and on with AA; a number from 1 for the row. */

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
