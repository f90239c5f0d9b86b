/**
 * A job that has begun and waits: one feature is done and left a note, one asks the steward something, the rest are pending.
 * It stays as it is until somebody answers, whatever the machine's speed, and runs no command, so that it needs no sandbox.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScenarioInput } from '../../src/adapters/simulated/scenario.ts';
import type { Terminal } from './terminal.ts';

/** Exit code of the terminal program when the steward is waited for. */
const WAITS = 3;
export const GUIDE = 'guide.txt';
/** A line of the repository that the agent notes; in its clone another line comes before it. */
const NOTED_LINE = 'Good day to everybody who reads this.';
export const AGENTS_NOTE =
  'Keep line 3, the [site](command:workbench.action.closeWindow) quotes it: https://site.invalid';
const QUESTION = 'Which name should be asked for?';

const FIRST = 'Say hello';
const ASKS = 'Ask the name';

/** All wait for the one that asks, but for the first. */
const feature = (name: string, category: string) => ({
  name,
  category,
  depends_on: name === FIRST || name === ASKS ? [] : [ASKS],
  description: `${name}, in the guide.`,
  testing_steps: [`The guide says how to ${name.toLowerCase()}`],
});

const phase = (title: string, features: readonly ReturnType<typeof feature>[]) => ({
  title,
  objective: `${title} are in the guide.`,
  acceptance_criteria: ['The guide has them.'],
  verify_commands: [],
  features: [...features],
});

const write = (line: string) => ({
  tool: 'edit',
  input: { file_path: GUIDE, old_string: 'Greetings\n', new_string: `Greetings\n${line}\n` },
});
const report = (outcome: 'done' | 'stuck', question = '') => ({
  tool: 'report',
  input: { outcome, summary: 'The guide.', question },
});

const SCENARIO: ScenarioInput = {
  version: 1,
  title: 'Greetings',
  plan: {
    title: 'Greetings',
    phases: [
      phase('Greetings', [
        feature(FIRST, 'words'),
        feature(ASKS, 'words'),
        feature('Wave', 'gestures'),
        feature('Bow', 'gestures'),
        feature('Say goodbye', 'words'),
      ]),
      phase('Manners', [feature('Say thanks', 'words'), feature('Say sorry', 'words')]),
    ],
  },
  features: {
    [FIRST]: {
      attempts: [
        {
          turns: [
            {
              calls: [
                write('Hello.'),
                {
                  tool: 'note',
                  input: { scope: 'feature', content: AGENTS_NOTE, file: `./${GUIDE}`, line: 4 },
                },
              ],
            },
            { calls: [report('done')] },
          ],
        },
      ],
    },
    [ASKS]: { attempts: [{ turns: [{ calls: [report('stuck', QUESTION)] }] }] },
  },
  otherwise: {
    feature: { attempts: [{ turns: [{ calls: [write('More.')] }, { calls: [report('done')] }] }] },
    phase: {
      reviews: [{ verdict: { verdict: 'APPROVED', reason: 'The guide has them.' } }],
      summaries: ['The guide has them.'],
    },
  },
};

/** The file that the features are about, in a commit of its own. */
async function writeGuide(terminal: Terminal, folder: string): Promise<void> {
  await writeFile(join(folder, 'sheet', GUIDE), `Greetings\n\n${NOTED_LINE}\nSleep well.\nCome again.\n`);
  await terminal.git('add', GUIDE);
  const author = ['-c', 'user.name=You', '-c', 'user.email=you@localhost'];
  await terminal.git(...author, 'commit', '--quiet', '--message', 'A guide');
}

/** Carried out by the terminal program, before any window opens. */
export async function startJob(terminal: Terminal, folder: string): Promise<void> {
  await writeGuide(terminal, folder);
  const file = join(folder, 'greetings.json');
  await writeFile(file, JSON.stringify(SCENARIO));
  const options = ['--provider', 'simulated', '--scenario', file, '--gates', 'none'];
  const { code, printed } = await terminal.autonomous('run', 'A guide to greetings', ...options);
  assert.equal(code, WAITS, printed);
}
