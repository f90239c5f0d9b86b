/** The demo's feature "User guide": a README whose examples are tested. */
import type { FeatureInput } from '../../scenario.ts';
import { bash, read, report, write } from './calls.ts';

const GUIDE = `# Sheet

A spreadsheet for the terminal: keep numbers and formulas in a CSV file, and print the result. It needs Node 18 or
later and nothing else.

## Use it

    $ node bin/sheet.js examples/budget.csv
    Item      Price  Count  Total
    Desk      249.5      1    249.5
    Chair       129      4      516
    Lamp      34.25      6    205.5
    Sum                 11      971
    Tax 19 %                 184.49
    To pay                  1155.49

The format can be chosen with --format: table (as above), csv or markdown.

    $ node bin/sheet.js examples/prices.csv --format markdown
    | Fruit | Price |
    | --- | --- |
    | Apple | 0.3 |
    | Pear | 0.45 |

## Formulas

A field that starts with "=" is a formula. It may use

- numbers, "texts", cells (B2) and, inside functions, ranges (B2:B9);
- + - * / ^ and parentheses, with the usual precedence;
- SUM, COUNT, AVERAGE, MIN, MAX and ROUND(value, digits).

An empty cell counts as 0. A formula with a comma in it must be quoted, as always in CSV.

## When a cell has no value

| shown | means |
| --- | --- |
| #DIV/0! | division by zero, or the average of nothing |
| #VALUE! | a number was needed, and something else was found |
| #NUM! | the result is too large, or no real number |
| #NAME? | there is no such function |
| #CYCLE! | the cell needs its own value |
| #ERROR! | this is no formula |

Cells that need such a cell show the same code.

## Work on it

    $ node --test

The code is in src, one subject per file: tokens → parser → evaluate compute one formula, sheet computes all of them,
csv and formats read and print.
`;

const PRICES = `Fruit,Price
Apple,=0.1+0.2
Pear,=B2*1.5
`;

const TESTS = String.raw`/** The examples of the README are run: what it shows is what the program prints. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { main } from '../src/cli.js';

const fromRoot = (path) => readFileSync(new URL('../' + path, import.meta.url), 'utf8');

/** Each indented "$ node bin/sheet.js …" with the indented lines after it. */
const EXAMPLE = /^ {4}\$ node bin\/sheet\.js (.+)\n((?: {4}(?!\$).*\n)+)/gm;

for (const [, args, indented] of fromRoot('README.md').matchAll(EXAMPLE)) {
  test('sheet ' + args, () => {
    const { out } = main(args.split(' '), fromRoot);
    assert.equal(out, indented.replace(/^ {4}/gm, ''));
  });
}
`;

export const userGuide: FeatureInput = {
  attempts: [
    {
      turns: [
        { text: '', calls: [{ tool: 'notes' }, read('README.md')] },
        {
          text: 'A guide is only right while its examples are, so a test runs them.',
          calls: [write('README.md', GUIDE), write('examples/prices.csv', PRICES), write('test/readme.test.js', TESTS)],
        },
        { text: '', calls: [bash('node --test'), bash('node bin/sheet.js examples/prices.csv --format markdown')] },
        {
          text: '',
          calls: [
            report(
              'The README shows how to use the command, what formulas may hold and what each error means; its examples are tested.',
            ),
          ],
        },
      ],
    },
  ],
};
