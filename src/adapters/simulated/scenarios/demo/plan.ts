/** The demo's plan: what its planner hands in. */
import type { ScenarioInput } from '../../scenario.ts';

export const demoPlan: ScenarioInput['plan'] = {
  title: 'A spreadsheet for the terminal',
  phases: [
    {
      title: 'Formulas',
      objective: 'The text of one formula becomes its value.',
      acceptance_criteria: [
        'Operators have the usual precedence; - and / group from the left, ^ from the right.',
        'Functions take cells and ranges.',
        'A formula that cannot be computed says why, with a code like #DIV/0!.',
      ],
      verify_commands: ['node --test'],
      features: [
        {
          name: 'Tokens',
          description: 'Split the text of a formula into numbers, quoted texts, cells, names and symbols.',
          category: 'formulas',
          testing_steps: [
            'Numbers with decimals, quoted text and ranges are split rightly',
            'Other characters are an error',
          ],
        },
        {
          name: 'Parser',
          description:
            'Turn tokens into a tree: operators with precedence, parentheses, cells, ranges and function calls.',
          category: 'formulas',
          testing_steps: ['1+2*3 groups as 1+(2*3)', '8-3-2 groups as (8-3)-2', '2^3^2 groups as 2^(3^2)'],
          depends_on: ['Tokens'],
        },
        {
          name: 'Evaluator',
          description:
            'Compute a tree, with SUM, COUNT, AVERAGE, MIN, MAX and ROUND. Cells are looked up by the caller.',
          category: 'formulas',
          testing_steps: ['Arithmetic and functions give the right numbers', 'Division by zero gives #DIV/0!'],
          depends_on: ['Parser'],
        },
      ],
    },
    {
      title: 'Sheets',
      objective: 'A whole CSV file is computed, whatever its cells say.',
      acceptance_criteria: [
        'CSV is read and written with quoting.',
        'Cells may need each other in any order.',
        'Every sheet ends in a result: cells that need each other in a circle show #CYCLE!.',
      ],
      verify_commands: ['node --test'],
      features: [
        {
          name: 'CSV files',
          description: 'Read and write comma-separated values, quoted where they must be.',
          category: 'files',
          testing_steps: ['Quotes, commas and line breaks survive writing and reading'],
        },
        {
          name: 'Cell addresses',
          description: 'Read and write addresses such as AA10, and expand ranges.',
          category: 'sheets',
          testing_steps: ['Z is followed by AA', 'A1:B2 is four cells'],
        },
        {
          name: 'Recalculation',
          description: 'Compute every cell of a sheet; errors show in the cell and in those that need it.',
          category: 'sheets',
          testing_steps: ['A formula may need cells that come later', 'An error spreads to the cells that need it'],
          depends_on: ['Evaluator', 'Cell addresses'],
        },
      ],
    },
    {
      title: 'Command line',
      objective: 'People use it: a command, output they like to read, and a guide.',
      acceptance_criteria: [
        'node bin/sheet.js examples/budget.csv prints the computed budget.',
        'Mistakes end with a reason and an exit code.',
        'The examples in the README are what the program prints.',
      ],
      verify_commands: ['node --test', 'node bin/sheet.js examples/budget.csv'],
      features: [
        {
          name: 'Command',
          description: 'bin/sheet.js reads a file, computes it and prints it. Add an example budget.',
          category: 'command line',
          testing_steps: ['The example is computed', 'A missing file ends with 1, wrong usage with 2'],
          depends_on: ['CSV files', 'Recalculation'],
        },
        {
          name: 'Output formats',
          description: 'Print a sheet in the form that the reader needs.',
          category: 'command line',
          testing_steps: ['Columns are aligned', 'Each format can be asked for'],
          depends_on: ['Command'],
        },
        {
          name: 'User guide',
          description: 'Rewrite the README: how to use the command, what formulas may hold, what each error means.',
          category: 'documentation',
          testing_steps: ['A test runs the examples of the README'],
          depends_on: ['Output formats'],
        },
      ],
    },
  ],
};
