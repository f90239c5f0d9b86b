/** Pictures of a job with several lanes: the board with a returned merge, the graph of the plan, and the timeline. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScenarioInput } from '../../src/adapters/simulated/scenario.ts';
import { demoBrief } from '../../src/app/assets/scenarios.ts';
import { DARK, PICTURE_SIZE } from './pictures.ts';
import { WAITS } from './terminal.ts';
import { inWindow, type Workplace, type World } from './world.ts';

type Turns = NonNullable<ScenarioInput['features']>[string]['attempts'][number]['turns'];

const feature = (name: string, category: string, description: string, depends_on: readonly string[] = []) => ({
  name,
  category,
  description,
  testing_steps: ['Its tests pass'],
  depends_on: [...depends_on],
});

const write = (file: string, content: string) => ({
  text: 'I write it with its tests.',
  calls: [{ tool: 'write', input: { file_path: file, content } }],
});
const report = (summary: string) => ({ calls: [{ tool: 'report', input: { outcome: 'done', summary } }] });

/** Rounds of work. */
const edits = (file: string, count: number): Turns =>
  Array.from({ length: count }, (_, at) => write(file, `export const round = ${at};\n`));

const work = (file: string, rounds: number, last = write(file, 'export const done = true;\n')): { turns: Turns } => ({
  turns: [...edits(file, rounds), last, report('Written, with tests.')],
});

const INDEX = 'src/index.js';

const SCENARIO: ScenarioInput = {
  version: 1,
  title: 'Lanes',
  delayMs: 500,
  plan: {
    title: 'A spreadsheet for the terminal',
    phases: [
      {
        title: 'Sheets',
        objective: 'A whole file is computed, whatever its cells say.',
        acceptance_criteria: ['A whole file is computed'],
        verify_commands: ['! grep -rn TODO src'],
        features: [
          feature('CSV files', 'files', 'Read and write comma-separated values, quoted where they must be.'),
          feature('Cell addresses', 'sheets', 'Columns after Z, and ranges over them.'),
          feature('Number formats', 'sheets', 'Print numbers as people of a country read them.'),
          feature('Recalculation', 'sheets', 'Compute each cell when it is first needed.', ['Cell addresses']),
          feature('Circles', 'sheets', 'Cells that need each other show #CYCLE!.', ['Recalculation']),
          feature('Sheet from standard input', 'files', 'Read a sheet from a pipe.', ['CSV files']),
        ],
      },
    ],
  },
  features: {
    'CSV files': { attempts: [work('src/csv.js', 4, write(INDEX, "export * from './csv.js';\n"))] },
    'Cell addresses': {
      attempts: [work('src/addresses.js', 6, write(INDEX, "export * from './addresses.js';\n"))],
      returns: [
        work('src/addresses.js', 30, write(INDEX, "export * from './csv.js';\nexport * from './addresses.js';\n")),
      ],
    },
    'Number formats': { attempts: [work('src/formats.js', 40)] },
    'Sheet from standard input': { attempts: [work('src/stdin.js', 30)] },
  },
  otherwise: {
    feature: { attempts: [work('src/{{slug}}.js', 8)] },
    phase: {
      reviews: [{ verdict: { verdict: 'APPROVED', reason: 'The criteria are met, with tests.' } }],
      summaries: ['A whole file is computed.'],
    },
  },
};

/** Carried out by the terminal program as far as its plan, which then waits. */
async function planWithLanes({ terminal, folder }: Workplace): Promise<void> {
  const file = join(folder, 'lanes.json');
  await writeFile(file, JSON.stringify(SCENARIO));
  const options = ['--provider', 'simulated', '--scenario', file, '--gates', 'plan', '--lanes', '3'];
  const { code, printed } = await terminal.autonomous('plan', await demoBrief(), ...options);
  assert.equal(code, WAITS, printed);
}

export async function picturesOfLanes(world: World): Promise<void> {
  await inWindow(world, { prepare: planWithLanes, size: PICTURE_SIZE, user: DARK }, async ({ window, pictures }) => {
    await window.notifications.press('Carry out this plan', 'Approve');
    await window.command('Autonomous: Open Board');
    await window.command('View: Toggle Primary Side Bar Visibility');
    const board = await window.frameWith('.board .card');
    await board.getByText('Returned: conflict').waitFor();
    await board.locator('.card-place').nth(2).waitFor();
    await pictures.take('lanes');
    await board.locator('.job details, .job [aria-expanded]').first().click();
    await board.getByRole('button', { name: /^Open Plan/ }).click();
    const plan = await window.frameWith('.plan-page .plan-node-in_progress');
    await pictures.take('lanes-plan');
    await plan.locator('.timeline').waitFor();
    await pictures.take('timeline');
  });
}
