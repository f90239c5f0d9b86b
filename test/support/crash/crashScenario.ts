/**
 * A small job with something of everything: a failed attempt, a question to the steward, a rejected review, notes, and edits
 * that are wrong when they are done twice.
 */
import { checkScenario, type ScenarioInput } from '../../../src/adapters/simulated/scenario.ts';

export const CRASH_BRIEF = 'Write the files one, two and three.\n\nEach holds its name.';
/** What the scenario's verify commands are, as exact argv lists. */
export const CRASH_COMMANDS = [
  ['ls', 'one.txt'],
  ['ls', 'three.txt'],
];
export const STUCK_ANSWER = 'Write it in English.';

type Calls = { tool: string; input: Record<string, string> }[];

const turn = (text: string, ...calls: Calls) => ({ text, calls });
const write = (file_path: string, content: string) => ({ tool: 'write', input: { file_path, content } });
const edit = (file_path: string, old_string: string, new_string: string) => ({
  tool: 'edit',
  input: { file_path, old_string, new_string },
});
const note = (scope: string, content: string) => ({ tool: 'note', input: { scope, content } });
const report = (outcome: string, summary: string, question = '') => ({
  tool: 'report',
  input: { outcome, summary, question },
});
const feature = (name: string, depends_on: string[] = []) => ({
  name,
  description: `Write the file ${name.toLowerCase()}.txt.`,
  category: 'files',
  testing_steps: [`The file ${name.toLowerCase()}.txt is there`],
  depends_on,
});

const scenario: ScenarioInput = {
  version: 1,
  title: 'Crashes',
  plan: {
    title: 'Three files',
    phases: [
      {
        title: 'First files',
        objective: 'Write one and two.',
        acceptance_criteria: ['The files are there.'],
        verify_commands: ['ls one.txt'],
        features: [feature('One'), feature('Two', ['One'])],
      },
      {
        title: 'Last file',
        objective: 'Write three.',
        acceptance_criteria: ['The file is there.'],
        verify_commands: ['ls three.txt'],
        features: [feature('Three')],
      },
    ],
  },
  features: {
    One: {
      attempts: [
        { turns: [turn('Under a wrong name.', write('uno.txt', 'end\n')), turn('', report('done', 'Wrote uno.'))] },
        {
          turns: [
            turn('Now rightly.', write('one.txt', 'end\n'), note('feature', 'The name counts.')),
            turn('', edit('one.txt', 'end', 'one end')),
            turn('', edit('uno.txt', 'end', 'uno end')),
            turn('', report('done', 'Wrote one.')),
          ],
        },
      ],
    },
    Two: {
      attempts: [
        { turns: [turn('', report('stuck', 'I do not know the language.', 'Which language?'))] },
        {
          turns: [
            turn('', write('two.txt', 'end\n'), note('global', 'Files are in English.')),
            turn('', report('done', 'Wrote two.')),
          ],
        },
        { turns: [turn('', edit('two.txt', 'end', 'two end')), turn('', report('done', 'Wrote two again.'))] },
      ],
    },
    Three: {
      attempts: [
        {
          turns: [
            turn('', write('three.txt', 'end\n')),
            turn('', edit('three.txt', 'end', 'three end'), note('category', 'All files end alike.')),
            turn('', report('done', 'Wrote three.')),
          ],
        },
      ],
    },
  },
  phases: {
    'First files': {
      reviews: [
        { verdict: { verdict: 'REJECTED', reason: 'Two is empty.', feedback: 'Name it.', reopen: ['Two'] } },
        { verdict: { verdict: 'APPROVED', reason: 'Both are there.' } },
      ],
      summaries: ['Wrote one and two.'],
    },
    'Last file': {
      reviews: [{ verdict: { verdict: 'APPROVED', reason: 'It is there.' } }],
      summaries: ['Wrote three.'],
    },
  },
};

export const crashScenario = checkScenario(scenario, 'the crash scenario');

/** One file by one attempt of three turns: for what happens to a job whatever is in it. */
export const oneFile = checkScenario(
  {
    version: 1,
    title: 'One file',
    plan: {
      title: 'One file',
      phases: [
        {
          title: 'A file',
          objective: 'Write one.',
          acceptance_criteria: ['The file is there.'],
          verify_commands: ['ls one.txt'],
          features: [feature('One')],
        },
      ],
    },
    features: {
      One: {
        attempts: [
          {
            turns: [
              turn('', write('one.txt', 'end\n'), note('global', 'The name counts.')),
              turn('', edit('one.txt', 'end', 'one end')),
              turn('', report('done', 'Wrote one.')),
            ],
          },
        ],
      },
    },
    phases: {
      'A file': {
        reviews: [{ verdict: { verdict: 'APPROVED', reason: 'It is there.' } }],
        summaries: ['Wrote one.'],
      },
    },
  },
  'one file',
);
