/** A picture for the README: three agents tried one feature, and their results lie side by side. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScenarioInput } from '../../src/adapters/simulated/scenario.ts';
import type { Step } from '../fixtures/agents/script.ts';
import { scriptedAgent } from '../support/agent/scriptedAgent.ts';
import { DARK, PICTURE_SIZE } from './pictures.ts';
import { WAITS } from './terminal.ts';
import { inWindow, type Workplace, type World } from './world.ts';

/** Agents that may start without a sandbox, where there is none, and the commands that verify. */
const MOST_QUESTIONS = 8;
const SORTING = 'Sort by a column';

const feature = (name: string, description: string, depends_on: string[] = []) => ({
  name,
  category: 'sheets',
  description,
  testing_steps: ['Its tests pass.'],
  depends_on,
});

const report = (outcome: 'done' | 'stuck', summary: string, question = '') => ({
  tool: 'report',
  input: { outcome, summary, question, no_change_reason: 'It holds already.' },
});

const lines = (amount: number, line: string): string => Array.from({ length: amount }, () => `${line}\n`).join('');

/** What waits for an answer holds back what the agents are to do, until they are chosen. */
const SCENARIO: ScenarioInput = {
  version: 1,
  title: 'A sheet that sorts',
  plan: {
    title: 'A sheet that sorts',
    phases: [
      {
        title: 'Sorting',
        objective: 'A sheet is sorted by any of its columns.',
        acceptance_criteria: ['Ties keep their order.'],
        verify_commands: ['! grep -rq TODO src'],
        features: [
          feature('Numbers before texts', 'Which comes first in a column that holds both.'),
          feature(SORTING, 'Sorts the rows of a sheet by one column; ties keep their order.', ['Numbers before texts']),
          feature('Sort by several columns', 'The second decides where the first is equal.', [SORTING]),
        ],
      },
    ],
  },
  features: {
    'Numbers before texts': {
      attempts: [
        { turns: [{ calls: [report('stuck', 'Both are usual.', 'Do numbers come before texts?')] }] },
        { turns: [{ calls: [report('done', 'Numbers come first.')] }] },
      ],
    },
  },
  otherwise: {
    feature: {
      attempts: [
        {
          turns: [
            {
              text: 'I write it with its tests.',
              calls: [{ tool: 'write', input: { file_path: 'src/sort.js', content: lines(48, '// by column') } }],
            },
            { calls: [report('done', 'A stable sort over the rows, and tests for ties and for empty cells.')] },
          ],
        },
      ],
    },
    phase: { reviews: [{ verdict: { verdict: 'APPROVED', reason: 'It sorts.' } }], summaries: ['It sorts.'] },
  },
};

function agent(title: string, content: string, summary: string) {
  const told = { outcome: 'done', summary, question: '' };
  const turn: readonly Step[] = [
    { do: 'model', text: 'Sort the rows of a sheet by one column.' },
    { do: 'write', path: 'src/sort.js', content },
    { do: 'tool', name: 'report', input: told },
  ];
  return scriptedAgent({ turns: [turn] }, { title });
}

const AGENTS = {
  alpha: agent(
    'Alpha',
    lines(31, '// stable'),
    'Rows are sorted in place by a comparison of the column; ties keep their order.',
  ),
  beta: agent('Beta', '// TODO: ties\n', 'Rows are sorted by the column.'),
};

/** As far as the question whose result it is to be. */
async function waitingPick({ terminal, folder, vsCode }: Workplace): Promise<void> {
  const config = join(vsCode.home, '.config', 'autonomous');
  await mkdir(config, { recursive: true, mode: 0o700 });
  await writeFile(join(config, 'agents.yaml'), JSON.stringify(AGENTS), { mode: 0o600 });
  const file = join(folder, 'sorting.json');
  await writeFile(file, JSON.stringify(SCENARIO));
  const options = ['--provider', 'simulated', '--scenario', file, '--gates', 'none', '--batch', '1'];
  const begun = await terminal.autonomous('run', 'Let a sheet be sorted', ...options);
  assert.equal(begun.code, WAITS, begun.printed);
  await terminal.ask('agents', 'choose', '2', 'alpha', 'builtin', 'beta');
  for (let asked = 0; asked < MOST_QUESTIONS; asked++) {
    const { approvals } = (await terminal.ask('approvals')) as { approvals: readonly { id: number; kind: string }[] };
    const [question] = approvals;
    if (question === undefined) throw new Error('nothing is asked');
    if (question.kind === 'pick') return;
    await terminal.ask('approve', String(question.id), ...(question.kind === 'stuck' ? ['--answer', 'They do.'] : []));
    const { code, printed } = await terminal.autonomous('run', '--resume');
    assert.equal(code, WAITS, printed);
  }
  throw new Error('it did not come to a question whose result it is to be');
}

export async function pictureOfAgents(world: World): Promise<void> {
  await inWindow(world, { prepare: waitingPick, size: PICTURE_SIZE, user: DARK }, async ({ window, pictures }) => {
    await window.command('View: Toggle Primary Side Bar Visibility');
    await window.command('Autonomous: Open Board');
    const board = await window.frameWith('.card.lane-needs_you');
    await board
      .getByRole('button', { name: /^Compare Results/ })
      .first()
      .click();
    await board.locator('.candidates').waitFor();
    await window.page.locator('.notifications-toasts .notification-list-item').first().waitFor({ state: 'hidden' });
    await pictures.take('side-by-side');
  });
}
