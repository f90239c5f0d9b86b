import { expect, it } from 'vitest';
import { planText } from '../../../../src/terminal/job/planText.ts';
import { planFeature, planOf, planPhase } from '../../../support/state/builders.ts';

it('a plan in the terminal shows testing steps, and what the approval answers and grants comes first', () => {
  const features = [
    planFeature({
      name: 'a',
      testing_steps: ['it opens'],
      verify_commands: ['node --test a'],
      paths: ['src/a.js', 'docs'],
    }),
  ];
  const plan = {
    ...planOf({ Core: ['a'] }),
    phases: [planPhase({ features })],
    questions: ['Tabs?'],
    setup: ['npm install'],
    assumptions: ['Node only'],
    findings: 'See lib/.',
  };
  expect(planText(plan).split('\n')).toEqual([
    'The plan: 1 phase, 1 feature',
    '',
    'Questions to you',
    '  - Tabs?',
    '',
    'Setup commands, run with the package registries allowed',
    '  - npm install',
    '',
    'Assumptions',
    '  - Node only',
    '',
    'Phase 1: Core',
    '  It works',
    '  Accepted when:',
    '    - it works',
    '  Verified by:',
    '    - npm test',
    '  * a [core]',
    '      What it does',
    '      - Test: it opens',
    '      - Verified by: node --test a',
    '      - Probably changes: src/a.js, docs',
    '',
    'Findings for the workers',
    '  See lib/.',
  ]);
});
