/** Computes a whole sheet: rows of texts in, rows of values out. */
import { addressesBetween, formatAddress, parseAddress } from './addresses.js';
import { CellError } from './cellError.js';
import { evaluate } from './evaluate.js';
import { parse } from './parser.js';

/**
 * A text that starts with "=" is a formula, one that looks like a number is a number. Each value is a number, a text,
 * or the code of an error such as #DIV/0!.
 */
export function calculate(rows) {
  const values = new Map();
  const cells = {
    value(address) {
      if (!values.has(address)) values.set(address, valueOf(textAt(rows, address), cells));
      const value = values.get(address);
      if (value instanceof CellError) throw value;
      return value;
    },
    range: (from, to) => addressesBetween(from, to).map((address) => cells.value(address)),
  };
  return rows.map((texts, row) => texts.map((_, column) => shown(cells, formatAddress({ column, row }))));
}

function textAt(rows, address) {
  const { column, row } = parseAddress(address);
  return rows[row]?.[column] ?? '';
}

function valueOf(text, cells) {
  if (!text.startsWith('=')) return isNumber(text) ? Number(text) : text;
  try {
    return evaluate(parse(text.slice(1)), cells);
  } catch (error) {
    if (error instanceof CellError) return error;
    if (error instanceof SyntaxError) return new CellError('#ERROR!', error.message);
    throw error;
  }
}

function isNumber(text) {
  return /^\s*-?\d+(\.\d+)?\s*$/.test(text);
}

function shown(cells, address) {
  try {
    return cells.value(address);
  } catch (error) {
    if (error instanceof CellError) return error.code;
    throw error;
  }
}
