/** Splits the text of a formula (without its leading "=") into tokens. */

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
