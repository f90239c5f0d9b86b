/** The built-in scenario for any brief and any plan: harmless notes, every phase approved. */
import type { ScenarioInput } from '../scenario.ts';

const FOLDER = 'simulated-notes';

const NOTE = `# {{feature}}

Written by a simulated model (attempt {{attempt}}, phase "{{phase}}"). No real model has seen the brief.

## The brief

{{brief}}
`;

/** The only command that the generic plan verifies with. */
export const genericAllowedCommands: readonly (readonly string[])[] = [['ls', FOLDER]];

function feature(name: string, description: string, depends_on: string[] = []) {
  return { name, description, category: 'notes', testing_steps: [`A file for it is in ${FOLDER}`], depends_on };
}

export const genericScenario: ScenarioInput = {
  version: 1,
  title: 'Generic: notes on any brief',
  plan: {
    title: 'Simulated run',
    phases: [
      {
        title: 'Understand the brief',
        objective: 'Put into notes what the brief asks (simulated).',
        acceptance_criteria: [`Each feature has a file in ${FOLDER}.`],
        verify_commands: [`ls ${FOLDER}`],
        features: [
          feature('Brief in short', 'Note what the brief asks.'),
          feature('Open questions', 'Note what the brief leaves open.', ['Brief in short']),
        ],
      },
      {
        title: 'Outline the work',
        objective: 'Put into notes how the work could go on (simulated).',
        acceptance_criteria: [`Each feature has a file in ${FOLDER}.`],
        verify_commands: [`ls ${FOLDER}`],
        features: [
          feature('Outline', 'Note the parts of the work.', ['Brief in short']),
          feature('Next steps', 'Note what to do first.', ['Outline']),
        ],
      },
    ],
  },
  otherwise: {
    feature: {
      attempts: [
        {
          turns: [
            {
              text: 'I write a note on "{{feature}}" (simulated).',
              calls: [
                { tool: 'write', input: { file_path: `${FOLDER}/{{featureId}}-{{slug}}.md`, content: NOTE } },
                { tool: 'note', input: { scope: 'feature', content: 'A simulated model wrote this feature.' } },
              ],
            },
            {
              text: '',
              calls: [
                {
                  tool: 'report',
                  input: { outcome: 'done', summary: 'Wrote a note on "{{feature}}" (simulated).', question: '' },
                },
              ],
            },
          ],
        },
      ],
      reviews: [{ verdict: { verdict: 'APPROVED', reason: 'The note is there (simulated).' } }],
    },
    phase: {
      reviews: [{ verdict: { verdict: 'APPROVED', reason: 'The notes of this phase are there (simulated).' } }],
      summaries: ['Wrote notes on the features of "{{phase}}" (simulated).'],
    },
  },
  steward: [
    { kind: 'plan', decision: 'approved' },
    { kind: 'phase', decision: 'approved' },
    { kind: 'merge', decision: 'approved' },
  ],
};
