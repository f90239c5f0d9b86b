/**
 * The built-in scenario of projects: three side by side. One finds what breaks another, which hears of it and has its code
 * changed; the third uses a skill and a subagent; the main agent sets them up and tells how they stand.
 */
import type { ScenarioInput } from '../scenario.ts';
import { genericScenario } from './generic.ts';

type Talk = NonNullable<ScenarioInput['main']>;

/** Each with its goal, and the word that sets it to work. */
export const demoProjects = [
  {
    name: 'api-migration',
    goal: 'Move the API to version 2 without breaking those who call it unannounced.',
    message: 'Look at the API and say what version 2 changes for others.',
  },
  {
    name: 'frontend-redesign',
    goal: 'Show orders on one page that people understand.',
    message: 'Begin with the order page.',
  },
  {
    name: 'docs',
    goal: 'Say in the documents what the program does, and no more.',
    message: 'Write the guide to orders.',
  },
] as const;

/** The skill that `docs` uses, where its folder has one of this name. */
export const DEMO_SKILL = 'plain-words';

const remember = (file: string, file_text: string) => ({
  tool: 'memory',
  input: { command: 'create', path: `/memories/facts/${file}.md`, file_text },
});
const notify = (text: string, concerns?: string) => ({
  tool: 'notify',
  input: { text, ...(concerns === undefined ? {} : { concerns }) },
});

const FINDING =
  'A breaking change: in version 2, POST /orders answers 202 and the id of the order, no longer 201 and the order itself. Whoever shows an order right after it was placed has to ask for it by GET /orders/{id}.';

const apiMigration: Talk = {
  replies: [
    {
      when: 'look at the api',
      turns: [
        { text: 'I look at what is there first.', calls: [{ tool: 'glob', input: { pattern: '**/*' } }] },
        {
          text: 'Placing an order answers differently in version 2. That breaks the page that shows it.',
          calls: [remember('orders-api', `# Orders in version 2\n\n${FINDING}\n`)],
        },
        { calls: [notify(FINDING, 'frontend-redesign')] },
        { text: 'Found, remembered and reported.' },
      ],
    },
  ],
};

const frontendRedesign: Talk = {
  replies: [
    {
      when: 'breaking change',
      turns: [
        {
          text: 'This changes the page that I am at: I keep it, and have the page changed.',
          calls: [remember('orders-api', '# What the API will answer\n\n{{message}}\n')],
        },
        {
          calls: [
            {
              tool: 'submit_brief',
              input: {
                brief:
                  'Show an order as pending until it is known: after POST /orders, ask for it by GET /orders/{id} and show it when it is there.',
              },
            },
          ],
        },
        {
          calls: [
            notify(
              'I know of the change to orders, and filed a brief: an order is shown as pending until it is known.',
            ),
          ],
        },
        { text: 'The brief is under way.' },
      ],
    },
    {
      when: 'order page',
      turns: [
        {
          calls: [
            remember('order-page', '# The order page\n\nOne page for an order: what was bought, and how it stands.\n'),
          ],
        },
        { calls: [notify('The order page shows what was bought and how it stands. I begin with how it stands.')] },
        { text: 'Begun.' },
      ],
    },
  ],
};

const docs: Talk = {
  replies: [
    {
      when: 'guide',
      turns: [
        { text: 'I write as the skill says.', calls: [{ tool: 'use_skill', input: { name: DEMO_SKILL } }] },
        {
          text: 'Somebody else reads the documents, so that I keep my own head clear.',
          calls: [
            { tool: 'spawn_subagent', input: { task: 'Find out what the documents do not say about orders yet.' } },
          ],
        },
        {
          calls: [
            remember(
              'orders-guide',
              '# The guide to orders\n\nStill to be said: how an order is placed, and how it is looked up.\n',
            ),
            notify('The guide to orders has two parts: placing one, and looking it up.'),
          ],
        },
        { text: 'The outline stands.' },
      ],
    },
  ],
};

const create = ({ name, goal }: (typeof demoProjects)[number]) => ({ tool: 'create_project', input: { name, goal } });
const say = ({ name, message }: (typeof demoProjects)[number]) => ({
  tool: 'message_project',
  input: { project: name, text: message },
});

const main: Talk = {
  replies: [
    {
      when: 'set up',
      turns: [
        { calls: demoProjects.map(create) },
        { calls: demoProjects.map(say) },
        { text: `Set up and at work: ${demoProjects.map(({ name }) => name).join(', ')}.` },
      ],
    },
    {
      when: 'going on',
      turns: [{ calls: [{ tool: 'list_projects', input: {} }] }, { text: 'This is what goes on:\n\n{{result}}' }],
    },
  ],
};

const VERIFY = genericScenario.plan.phases.slice(0, 1).flatMap(({ verify_commands = [] }) => verify_commands);

export const projectsScenario: ScenarioInput = {
  ...genericScenario,
  title: 'Projects: three desks, one mind',
  plan: {
    title: 'Pending orders',
    phases: [
      {
        title: 'Orders as version 2 answers them',
        objective: 'An order is shown as pending until it is known (simulated).',
        acceptance_criteria: ['There is a note on the change.'],
        verify_commands: VERIFY,
        features: [
          { name: 'Pending orders', description: 'Show an order as pending until it is known.', category: 'frontend' },
        ],
      },
    ],
  },
  projects: { 'api-migration': apiMigration, 'frontend-redesign': frontendRedesign, docs },
  main,
  subagents: {
    replies: [
      {
        when: 'documents',
        turns: [
          { text: 'I look for documents.', calls: [{ tool: 'glob', input: { pattern: '**/*.md' } }] },
          { text: 'The documents do not say how an order is placed, nor how it is looked up afterwards.' },
        ],
      },
    ],
  },
};
