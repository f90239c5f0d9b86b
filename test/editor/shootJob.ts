/** A job with something in every column of the board: for pictures. Its features are those of the demo's spreadsheet. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScenarioInput } from '../../src/adapters/simulated/scenario.ts';
import { demoBrief } from '../../src/app/assets/scenarios.ts';
import { WAITS } from './terminal.ts';
import type { Workplace } from './world.ts';

type Turns = NonNullable<ScenarioInput['features']>[string]['attempts'][number]['turns'];

const feature = (name: string, category: string, description: string, depends_on: readonly string[] = []) => ({
  name,
  category,
  description,
  testing_steps: ['Its tests pass', 'The examples of the README print what it says'],
  depends_on: [...depends_on],
});
const phase = (title: string, objective: string, features: readonly ReturnType<typeof feature>[]) => ({
  title,
  objective,
  acceptance_criteria: [objective],
  verify_commands: ['! grep -rn TODO src'],
  features: [...features],
});

const report = (outcome: 'done' | 'stuck', summary: string, question = '') => ({
  calls: [{ tool: 'report', input: { outcome, summary, question } }],
});
const write = (content: string) => ({
  text: 'I write it with its tests.',
  calls: [{ tool: 'write', input: { file_path: 'src/{{slug}}.js', content } }],
});
const DONE: Turns = [
  write('export const done = true;\n'),
  {
    calls: [
      { tool: 'note', input: { scope: 'category', content: 'Errors are CellErrors with a code, never thrown texts.' } },
    ],
  },
  report('done', 'Written, with tests.'),
];
/** Each with an error of its own: the same error twice would ask instead of failing. */
const unfinished = (open: string): Turns => [write(`// TODO: ${open}\n`), report('done', 'Written; one case is open.')];
/** Goes on until the window closes. */
const LONG: Turns = [
  write('export const order = [];\n'),
  ...Array.from({ length: 90 }, (_, at) => ({
    calls: [{ tool: 'edit', input: { file_path: 'src/{{slug}}.js', old_string: ' = [', new_string: ` = [${at},` } }],
  })),
];

const SCENARIO: ScenarioInput = {
  version: 1,
  title: 'A board with something everywhere',
  delayMs: 900,
  plan: {
    title: 'A spreadsheet for the terminal',
    phases: [
      phase('Formulas', 'The text of one formula becomes its value.', [
        feature('Tokens', 'formulas', 'Split the text of a formula into numbers, texts, cells and symbols.'),
        feature('Parser', 'formulas', 'Turn tokens into a tree: operators with precedence and calls.', ['Tokens']),
        feature('Evaluator', 'formulas', 'Compute a tree, with SUM, COUNT, AVERAGE, MIN and MAX.', ['Parser']),
      ]),
      phase('Sheets', 'A whole file is computed, whatever its cells say.', [
        feature('CSV files', 'files', 'Read and write comma-separated values, quoted where they must be.'),
        feature('Cell addresses', 'sheets', 'Columns after Z, and ranges over them.'),
        feature('Number formats', 'sheets', 'Print numbers as people of a country read them.'),
        feature('Recalculation', 'sheets', 'Compute each cell when it is first needed.'),
        feature('Circles', 'sheets', 'Cells that need each other show #CYCLE!.', ['Recalculation']),
      ]),
      phase('Command line', 'The command prints a sheet.', [
        feature('Command', 'command line', '"sheet FILE" computes a file and prints it.', ['Recalculation']),
        feature('Output formats', 'command line', 'A table for people, CSV and Markdown for programs.', ['Command']),
        feature('User guide', 'documents', 'A guide whose examples are tested.', ['Output formats']),
      ]),
    ],
  },
  features: {
    Parser: { attempts: [{ turns: unfinished('powers') }, { turns: DONE }] },
    'Cell addresses': {
      attempts: ['columns after Z', 'ranges over them', 'ranges of one cell'].map((open) => ({
        turns: unfinished(open),
      })),
    },
    'Number formats': {
      attempts: [
        { turns: [report('stuck', 'Both are usual.', 'Decimal comma or decimal point when the locale is unknown?')] },
      ],
    },
    Recalculation: { attempts: [{ turns: LONG }] },
  },
  otherwise: {
    feature: { attempts: [{ turns: DONE }] },
    phase: {
      reviews: [{ verdict: { verdict: 'APPROVED', reason: 'The criteria are met, with tests.' } }],
      summaries: ['Formulas are read and computed.'],
    },
  },
};

/** Carried out by the terminal program as far as its plan, which then waits. */
export async function planOfRichJob({ terminal, folder }: Workplace): Promise<void> {
  const file = join(folder, 'rich.json');
  await writeFile(file, JSON.stringify(SCENARIO));
  const options = ['--provider', 'simulated', '--scenario', file, '--gates', 'plan', '--batch', '1'];
  const { code, printed } = await terminal.autonomous('plan', await demoBrief(), ...options);
  assert.equal(code, WAITS, printed);
}
