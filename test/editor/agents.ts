/** An agent of the person's own takes a feature: chosen from the palette, let run without a sandbox, named on the card, merged. */
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScenarioInput } from '../../src/adapters/simulated/scenario.ts';
import { scriptedAgent } from '../support/agent/scriptedAgent.ts';
import { BoardTab } from './boardTab.ts';
import { WAITS } from './terminal.ts';
import type { Place, Workplace } from './world.ts';

const TITLE = 'Penpal';
const QUESTION = 'Which name should be asked for?';
const LETTER = 'Dear you, a wave.\n';

const report = (outcome: 'done' | 'stuck', question = '') => ({
  tool: 'report',
  input: { outcome, summary: 'The letter.', question, no_change_reason: 'It holds already.' },
});

const feature = (name: string, depends_on: string[] = []) => ({
  name,
  category: 'words',
  description: name,
  testing_steps: ['It is there.'],
  depends_on,
});

/** What waits for an answer holds back what the agent is to do; nothing is verified, so that no command runs. */
const SCENARIO: ScenarioInput = {
  version: 1,
  title: 'Letters',
  plan: {
    title: 'Letters',
    phases: [
      {
        title: 'Letters',
        objective: 'They are written.',
        acceptance_criteria: ['They are there.'],
        verify_commands: [],
        features: [feature('Ask the name'), feature('Wave', ['Ask the name'])],
      },
    ],
  },
  features: {
    'Ask the name': {
      attempts: [{ turns: [{ calls: [report('stuck', QUESTION)] }] }, { turns: [{ calls: [report('done')] }] }],
    },
  },
  otherwise: {
    feature: { attempts: [{ turns: [{ calls: [report('stuck', 'Who writes this?')] }] }] },
    phase: { reviews: [{ verdict: { verdict: 'APPROVED', reason: 'They are there.' } }], summaries: ['Letters.'] },
  },
};

/** Without a sandbox, for the agent. */
export const AGENT_SETTINGS = { 'autonomous.sandbox': 'off' };

export async function jobThatWaits({ terminal, folder, vsCode }: Workplace): Promise<void> {
  const config = join(vsCode.home, '.config', 'autonomous');
  await mkdir(config, { recursive: true, mode: 0o700 });
  const done = { outcome: 'done', summary: 'A letter.', question: '' };
  const writes = { do: 'write', path: 'letter.txt', content: LETTER } as const;
  const script = { turns: [[writes, { do: 'tool', name: 'report', input: done } as const]] };
  const agents = { penpal: scriptedAgent(script, { title: TITLE }) };
  await writeFile(join(config, 'agents.yaml'), JSON.stringify(agents), { mode: 0o600 });
  const file = join(folder, 'letters.json');
  await writeFile(file, JSON.stringify(SCENARIO));
  const options = ['--provider', 'simulated', '--scenario', file, '--gates', 'none'];
  const { code, printed } = await terminal.autonomous('run', 'Write letters', ...options);
  assert.equal(code, WAITS, printed);
}

export async function agentTakesAFeature({ window, terminal, pictures, vsCode }: Place): Promise<void> {
  const { input, notifications } = window;
  await window.command('Autonomous: Choose Agent…');
  await input.pick('Wave');
  await input.row(TITLE).filter({ hasText: 'priced by Autonomous' }).waitFor();
  await pictures.take('agents');
  await input.pick(TITLE);
  await terminal.until('board', ({ features }) => JSON.stringify(features).includes('penpal'));
  await notifications.press(QUESTION, 'Answer…');
  await input.answer(QUESTION, 'The first.');
  await notifications.press(`Start ${TITLE} without a sandbox?`, 'Show…');
  await window.answerDialog('Run');
  const board = await BoardTab.open(window);
  await board.until('Completed', 'Ask the name', 'Wave');
  assert.match((await board.card('Wave').textContent()) ?? '', new RegExp(TITLE));
  await notifications.saying('Merged into');
  assert.equal(await terminal.git('show', 'HEAD:letter.txt'), LETTER);
  await rm(join(vsCode.home, '.config', 'autonomous', 'agents.yaml'));
}
