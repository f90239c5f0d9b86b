/** The demo's feature "Command". */
import type { FeatureInput } from '../../scenario.ts';
import { bash, report, write } from './calls.ts';

const CLI = String.raw`/** The sheet command: reads a CSV file with formulas and prints the computed sheet. */
import { parseArgs } from 'node:util';
import { formatCsv, parseCsv } from './csv.js';
import { calculate } from './sheet.js';

export const USAGE = [
  'Usage: sheet FILE.csv',
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
    return { code: 0, out: formatCsv(sheet.map((row) => row.map(text))), error: '' };
  } catch (error) {
    return { code: 1, out: '', error: options.file + ': ' + error.message + '\n' };
  }
}

function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false } },
  });
  if (!values.help && positionals.length !== 1) throw new Error('one file is needed');
  return { help: values.help, file: positionals[0] };
}

/** Twelve digits are enough for people, and hide that 0.1 + 0.2 is not quite 0.3. */
function text(value) {
  return typeof value === 'number' ? String(Number(value.toPrecision(12))) : value;
}
`;

const BIN = `#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { main } from '../src/cli.js';

const { code, out, error } = main(process.argv.slice(2), (path) => readFileSync(path, 'utf8'));
process.stdout.write(out);
process.stderr.write(error);
process.exitCode = code;
`;

const BUDGET = `Item,Price,Count,Total
Desk,249.5,1,=B2*C2
Chair,129,4,=B3*C3
Lamp,34.25,6,=B4*C4
Sum,,=SUM(C2:C4),=SUM(D2:D4)
Tax 19 %,,,"=ROUND(D5*0.19, 2)"
To pay,,,=D5+D6
`;

const TESTS = String.raw`import assert from 'node:assert/strict';
import { test } from 'node:test';
import { main } from '../src/cli.js';

const files = { 'sums.csv': 'a,b,=1+1\n0.1,0.2,=A2+B2\n', 'broken.csv': 'ok\n"open' };

function readFile(path) {
  if (!Object.hasOwn(files, path)) throw new Error('no such file');
  return files[path];
}

const run = (...args) => main(args, readFile);

test('computes a file; numbers are printed for people', () => {
  const { code, out, error } = run('sums.csv');
  assert.deepEqual({ code, out, error }, { code: 0, out: 'a,b,2\n0.1,0.2,0.3\n', error: '' });
});

test('a file that cannot be used ends with 1 and says why', () => {
  assert.deepEqual(run('none.csv'), { code: 1, out: '', error: 'none.csv: no such file\n' });
  assert.deepEqual(run('broken.csv'), { code: 1, out: '', error: 'broken.csv: line 2: misplaced quote\n' });
});

test('wrong usage ends with 2 and shows the usage', () => {
  for (const args of [[], ['a', 'b'], ['a', '--nope']]) {
    const { code, error } = run(...args);
    assert.equal(code, 2);
    assert.match(error, /Usage: sheet FILE/);
  }
});

test('--help is no mistake', () => {
  const { code, out } = run('--help');
  assert.equal(code, 0);
  assert.match(out, /Usage: sheet FILE/);
});
`;

export const command: FeatureInput = {
  attempts: [
    {
      turns: [
        {
          text: 'The command itself is a function of its arguments, so that it can be tested without a process.',
          calls: [write('src/cli.js', CLI), write('test/cli.test.js', TESTS)],
        },
        {
          text: 'Around it a small script, and a sheet to try it on.',
          calls: [write('bin/sheet.js', BIN), write('examples/budget.csv', BUDGET)],
        },
        { text: '', calls: [bash('node --test')] },
        { text: 'And for real:', calls: [bash('node bin/sheet.js examples/budget.csv')] },
        {
          text: '',
          calls: [
            report('"node bin/sheet.js FILE.csv" computes a file; mistakes end with exit code 1 or 2 and a reason.'),
          ],
        },
      ],
    },
  ],
};
