/**
 * The built-in demo: builds a small real program. One first attempt fails its verify command, one phase is rejected by its
 * first review, and one worker asks the steward.
 */
import type { ScenarioInput } from '../scenario.ts';
import { addresses } from './demo/addresses.ts';
import { command } from './demo/command.ts';
import { csvFiles } from './demo/csvFiles.ts';
import { evaluator } from './demo/evaluator.ts';
import { outputFormats } from './demo/outputFormats.ts';
import { parser } from './demo/parser.ts';
import { demoPhases } from './demo/phases.ts';
import { demoPlan } from './demo/plan.ts';
import { recalculation } from './demo/recalculation.ts';
import { tokens } from './demo/tokens.ts';
import { userGuide } from './demo/userGuide.ts';

const ONLY_ITS_SCRIPT = 'This is a simulated model, and its script has nothing for this.';

export const demoScenario: ScenarioInput = {
  version: 1,
  title: 'Demo: a spreadsheet for the terminal',
  plan: demoPlan,
  planning: [
    {
      turns: [
        {
          text: 'I look at what is there before I plan.',
          calls: [
            { tool: 'glob', input: { pattern: '**/*' } },
            { tool: 'read', input: { file_path: 'package.json' } },
          ],
        },
      ],
    },
  ],
  features: {
    Tokens: tokens,
    Parser: parser,
    Evaluator: evaluator,
    'CSV files': csvFiles,
    'Cell addresses': addresses,
    Recalculation: recalculation,
    Command: command,
    'Output formats': outputFormats,
    'User guide': userGuide,
  },
  phases: demoPhases,
  otherwise: {
    feature: {
      attempts: [
        {
          turns: [
            {
              text: ONLY_ITS_SCRIPT,
              calls: [
                {
                  tool: 'report',
                  input: {
                    outcome: 'stuck',
                    summary: 'The demo has no script for the feature "{{feature}}".',
                    question:
                      'The demo only plays its own plan. Shall this feature be dropped, or the job be cancelled?',
                  },
                },
              ],
            },
          ],
        },
      ],
      reviews: [{ verdict: { verdict: 'APPROVED', reason: 'It does what its description says, and its tests pass.' } }],
    },
    phase: {
      reviews: [{ verdict: { verdict: 'ESCALATE', reason: ONLY_ITS_SCRIPT } }],
      summaries: [ONLY_ITS_SCRIPT],
    },
  },
  steward: [
    { kind: 'plan', decision: 'approved' },
    {
      kind: 'stuck',
      decision: 'approved',
      feedback: 'A table aligned for people by default. Keep CSV behind --format csv, and add Markdown.',
    },
    { kind: 'phase', decision: 'approved' },
    { kind: 'merge', decision: 'approved' },
  ],
};
