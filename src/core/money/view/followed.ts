/**
 * Keeps sums over a table and updates them incrementally. Rows are replaced, never mutated, so only rows whose objects changed are counted: `count`
 * is called with -1 for each removed row and with 1 for each added one. The pass yields after every few thousand counted rows, so that a large table
 * does not block the thread; the next pass sees what changes meanwhile.
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

/** Runs the whole pass without yielding. */
export function atOnce(pass: Generator<undefined>): void {
  while (pass.next().done !== true);
}
