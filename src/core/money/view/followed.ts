/**
 * Sums over a table that are kept from one look at it to the next. Rows are replaced, never mutated, so only those that
 * are other objects than before are counted: `count` is called with -1 for what is gone and with 1 for what came.
 * The pass yields after every few thousand counted rows, so that a large table need not be taken in one go; what changes
 * meanwhile is seen by the next pass.
 */
export function followed<Row>(count: (row: Row, sign: 1 | -1) => void): (rows: Iterable<Row>) => Generator<undefined> {
  const seen: Row[] = [];
  return function* (rows) {
    let at = 0;
    let counted = 0;
    for (const row of rows) {
      const before = seen[at];
      if (before !== row) {
        if (at < seen.length) count(before as Row, -1);
        count(row, 1);
        seen[at] = row;
        if (++counted % PIECE === 0) yield;
      }
      at++;
    }
    while (seen.length > at) count(seen.pop() as Row, -1);
  };
}

const PIECE = 2_000;

/** The whole pass at once. */
export function atOnce(pass: Generator<undefined>): void {
  while (pass.next().done !== true);
}
