/**
 * A job for a steward: one feature is done, left a note and added a script that would run on the user's machine; one asks something; the
 * rest are pending until it is answered. A result that is rejected is asked about once more. Whatever the machine's speed, the job waits
 * at each of these points. It runs no command, so that it needs no sandbox.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScenarioInput } from '../../src/adapters/simulated/scenario.ts';
import { WAITS } from './terminal.ts';
import type { Workplace } from './world.ts';

export const GUIDE = 'guide.txt';
/** A line of the repository that the agent notes; in its clone another line comes before it. */
const NOTED_LINE = 'Good day to everybody who reads this.';
export const AGENTS_NOTE =
  'Keep line 3, the [site](command:workbench.action.closeWindow) quotes it: https://site.invalid';
export const QUESTION = 'Which name should be asked for?';
/** An agent's words that would act, were they taken for a link. */
const LINK = '[See the details](command:workbench.action.files.newUntitledFile)';
export const PROGRAM = 'greet.js';
/** What the worker asks who takes up a rejection. */
export const ASKS_BACK = 'Whom should it greet?';

const FIRST = 'Say hello';
const ASKS = 'Ask the name';
const PENDING = ['Wave', 'Bow', 'Say goodbye', 'Say thanks', 'Say sorry'];

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
const PROGRAM_WRITTEN = [
  { tool: 'write', input: { file_path: PROGRAM, content: "const name = 'you';\nconsole.log('Hello', name);\n" } },
  {
    tool: 'edit',
    input: { file_path: 'package.json', old_string: '"node --test"', new_string: '"node --test && node greet.js"' },
  },
];
const report = (outcome: 'done' | 'stuck', question = '') => ({
  tool: 'report',
  input: {
    outcome,
    summary: question === '' ? 'The guide.' : `It depends. ${LINK}`,
    question,
    no_change_reason: 'It holds already.',
  },
});
/** Of a feature that nothing else is said of. */
const WRITES = { attempts: [{ turns: [{ calls: [write('More.')] }, { calls: [report('done')] }] }] };

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
                ...PROGRAM_WRITTEN,
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
    [ASKS]: {
      attempts: [
        { turns: [{ calls: [report('stuck', `${QUESTION} ${LINK}`)] }] },
        { turns: [{ calls: [report('done')] }] },
      ],
    },
    ...Object.fromEntries([...PENDING, 'Bow deeply', 'Say please'].map((name) => [name, WRITES])),
  },
  otherwise: {
    // What a rejection adds.
    feature: {
      attempts: [{ turns: [{ calls: [report('stuck', ASKS_BACK)] }] }, { turns: [{ calls: [report('done')] }] }],
    },
    phase: {
      reviews: [{ verdict: { verdict: 'APPROVED', reason: 'The guide has them.' } }],
      summaries: ['The guide has them.'],
    },
  },
};

/** The file that the features are about, in a commit of its own. */
async function writeGuide({ terminal, project }: Workplace): Promise<void> {
  await writeFile(join(project, GUIDE), `Greetings\n\n${NOTED_LINE}\nSleep well.\nCome again.\n`);
  await terminal.git('add', GUIDE);
  const author = ['-c', 'user.name=You', '-c', 'user.email=you@localhost'];
  await terminal.git(...author, 'commit', '--quiet', '--message', 'A guide');
}

/** Carried out by the terminal program, before any window opens. */
export async function stewardJob(place: Workplace): Promise<void> {
  const { terminal, folder } = place;
  await writeGuide(place);
  const file = join(folder, 'greetings.json');
  await writeFile(file, JSON.stringify(SCENARIO));
  const options = ['--provider', 'simulated', '--scenario', file, '--gates', 'merge', '--merge', 'branch'];
  const { code, printed } = await terminal.autonomous('run', 'A guide to greetings', ...options);
  assert.equal(code, WAITS, printed);
}
