/** The sheet command: reads a CSV file with formulas and prints the computed sheet. */
import { parseArgs } from 'node:util';
import { parseCsv } from './csv.js';
import { FORMATS } from './formats.js';
import { calculate } from './sheet.js';

export const USAGE = [
  'Usage: sheet FILE.csv [--format table|csv|markdown]',
  '',
  'Computes the formulas of a CSV file and prints the result.',
  '',
].join('\n');

/**
 * Returns { code, out, error }: the exit code (0 done, 1 the file cannot be used, 2 wrong usage) and what to print.
 * readFile(path) returns the text of a file, or throws.
 */
export function main(args, readFile) {
  let options;
  try {
    options = readOptions(args);
  } catch (error) {
    return { code: 2, out: '', error: error.message + '\n\n' + USAGE };
  }
  if (options.help) return { code: 0, out: USAGE, error: '' };
  try {
    const sheet = calculate(parseCsv(readFile(options.file)));
    return { code: 0, out: options.format(sheet.map((row) => row.map(text))), error: '' };
  } catch (error) {
    return { code: 1, out: '', error: options.file + ': ' + error.message + '\n' };
  }
}

function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { format: { type: 'string', default: 'table' }, help: { type: 'boolean', default: false } },
  });
  if (!values.help && positionals.length !== 1) throw new Error('one file is needed');
  if (!Object.hasOwn(FORMATS, values.format)) throw new Error('there is no format ' + values.format);
  return { help: values.help, file: positionals[0], format: FORMATS[values.format] };
}

/** Twelve digits are enough for people, and hide that 0.1 + 0.2 is not quite 0.3. */
function text(value) {
  return typeof value === 'number' ? String(Number(value.toPrecision(12))) : value;
}
