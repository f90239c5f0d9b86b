/** Comma-separated values: rows of texts, quoted where they hold a comma, a quote or a line break. */

/** One field and what ends it: a comma, a line break or the end of the text. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** Throws a SyntaxError that names the line when a quote is not closed or stands inside a field. */
export function parseCsv(text) {
  const rows = [];
  let row = [];
  let at = 0;
  while (at < text.length || row.length > 0) {
    FIELD.lastIndex = at;
    const match = FIELD.exec(text);
    if (match === null) throw new SyntaxError('line ' + (rows.length + 1) + ': misplaced quote');
    const [whole, quoted, plain, end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

export function formatCsv(rows) {
  return rows.map((row) => row.map(quote).join(',') + '\n').join('');
}

function quote(field) {
  return /[",\r\n]/.test(field) ? '"' + field.replaceAll('"', '""') + '"' : field;
}
