/** What the demo's reviewer decides and its summarizer writes, phase by phase. */
import type { ScenarioInput } from '../../scenario.ts';

export const demoPhases: NonNullable<ScenarioInput['phases']> = {
  Formulas: {
    reviews: [
      {
        turns: [
          {
            text: 'I read the code against the three criteria.',
            calls: [
              { tool: 'read', input: { file_path: 'src/parser.js' } },
              { tool: 'read', input: { file_path: 'src/evaluate.js' } },
            ],
          },
        ],
        verdict: {
          verdict: 'APPROVED',
          reason:
            'Precedence and grouping are right and tested, ranges reach the functions, and every failure has a code.',
        },
      },
    ],
    summaries: [
      'src/tokens.js, src/parser.js and src/evaluate.js turn the text of a formula into its value. Mistakes in the text are SyntaxErrors, formulas without a value CellErrors with the code to show. The first parser grouped 8-3-2 from the right; a test holds it now.',
    ],
  },
  Sheets: {
    reviews: [
      {
        turns: [
          {
            text: 'The third criterion asks for #CYCLE!. I look for it.',
            calls: [
              { tool: 'grep', input: { pattern: 'CYCLE', path: 'src' } },
              { tool: 'read', input: { file_path: 'src/sheet.js' } },
            ],
          },
        ],
        verdict: {
          verdict: 'REJECTED',
          reason:
            'The criterion on circles is not met: a sheet with =B1 in A1 and =A1 in B1 recurses until the stack overflows.',
          feedback:
            'calculate() in src/sheet.js computes a cell by computing the cells it needs, and nothing notices when it comes back to a cell that is under way. Mark such cells, show #CYCLE! in every cell of the circle and in those that need it, and compute the rest. Add a test with two cells that need each other, and one with a range that holds its own formula.',
          reopen: ['Recalculation'],
        },
      },
      {
        turns: [
          {
            text: 'Only the circle was missing.',
            calls: [
              { tool: 'grep', input: { pattern: 'CYCLE', path: 'src' } },
              { tool: 'read', input: { file_path: 'test/sheet.test.js' } },
            ],
          },
        ],
        verdict: {
          verdict: 'APPROVED',
          reason:
            'Circles are found and shown, with a test for two cells and for a range that holds its own formula. CSV and addresses were right before.',
        },
      },
    ],
    summaries: [
      'src/csv.js reads and writes files, src/addresses.js cells and ranges, and src/sheet.js computes a whole sheet: each cell when it is first needed, errors spreading to the cells that need them.',
      'As before; calculate() now also finds circles and shows #CYCLE! in them, after the first review had found an endless recursion.',
    ],
  },
  'Command line': {
    reviews: [
      {
        turns: [
          {
            text: '',
            calls: [
              { tool: 'read', input: { file_path: 'src/cli.js' } },
              { tool: 'read', input: { file_path: 'README.md' } },
            ],
          },
        ],
        verdict: {
          verdict: 'APPROVED',
          reason:
            'The budget is computed, mistakes end with a reason and an exit code, and the examples of the README are run by a test.',
        },
      },
    ],
    summaries: [
      '"node bin/sheet.js FILE.csv" prints a sheet as an aligned table, which the steward chose as the default, or as CSV or Markdown. The README is a guide whose examples are tested.',
    ],
  },
};
