/** The plan of a sample's job. */

import { isOpen } from '../../src/core/job/view/jobStatus.ts';
import type { PanelPlan, PanelPlanFeature } from '../../src/shared/job/planView.ts';
import type { PanelView } from '../../src/shared/workspace/panel.ts';
import { sampleTimeline } from './sampleTimeline.ts';

const NOW: readonly PanelPlanFeature['now'][] = [
  { lane: 'completed', place: null },
  {
    lane: 'in_progress',
    place: { lane: 1, queue: null, returned: { cause: 'conflict', path: 'src/config.js', more: 0 } },
  },
  { lane: 'in_progress', place: { lane: 2, queue: 1, returned: null } },
  { lane: 'pending', place: null },
  { lane: 'pending', place: null },
  { lane: 'in_progress', place: { lane: 3, queue: null, returned: null } },
];

function feature(number: number, name: string, category: string, dependsOn: readonly string[]): PanelPlanFeature {
  return {
    number,
    name,
    category,
    description: `${name}. Behaves the same from a file and from a terminal, and reports errors in one line.`,
    testingSteps: ['node --test test/config.test.js passes', 'A file with an unknown key names the nearest known one'],
    verify: number === 5 ? ['node --test test/undo.test.js'] : [],
    dependsOn,
    paths: category === 'config' ? ['src/config.js', 'test/config.test.js'] : [],
    now: null,
  };
}

/** The features as work goes on, or has ended. */
function withWork(plan: PanelPlan, isRunning: boolean): PanelPlan {
  const nowOf = ({ number }: PanelPlanFeature): PanelPlanFeature['now'] =>
    isRunning ? (NOW[number - 1] ?? null) : { lane: 'completed', place: null };
  const phases = plan.phases.map((phase) => ({
    ...phase,
    features: phase.features.map((one) => ({ ...one, now: nowOf(one) })),
  }));
  return { ...plan, phases };
}

const PARSE = 'Parse the configuration file';
const REJECT = 'Reject unknown keys with a message that names the nearest known one';
const READ = 'Read the stack from standard input';

/** Null for a job that has no plan. */
export function samplePlan({ jobs, approvals }: PanelView, jobId: string): PanelPlan | null {
  const job = jobs.find(({ id }) => id === jobId);
  if (job === undefined) return null;
  const asked = approvals.find((approval) => approval.kind === 'plan' && approval.jobId === jobId);
  const plan: PanelPlan = {
    jobId,
    title: job.title,
    version: 2,
    by: 'planner',
    at: '2026-11-02T09:00:00.000Z',
    accepted: asked === undefined,
    approvalId: asked?.id ?? null,
    budgetUsd: job.budgetUsd,
    questions: ['Shall an unknown key stop the program, or only warn?'],
    setup: ['npm install'],
    assumptions: ['The configuration stays one JSON file'],
    findings: 'The tests run by node --test; src/cli.js reads all options in one place.',
    phases: [
      {
        number: 1,
        title: 'Foundations',
        objective: 'The configuration is read once, and every mistake in it is named with its line.',
        criteria: ['Every mistake of the sample files is named', 'A right file is read as before'],
        verify: ['node --test'],
        startsAtOnce: 2,
        features: [feature(1, PARSE, 'config', []), feature(2, REJECT, 'config', [PARSE]), feature(3, READ, 'cli', [])],
      },
      {
        number: 2,
        title: 'Commands',
        objective: 'The commands use the new configuration.',
        criteria: ['Each command prints its result'],
        verify: ['node --test', 'node bin/calc.js "1 + 2"'],
        startsAtOnce: null,
        features: [
          feature(4, 'Print results as JSON', 'cli', [READ]),
          feature(5, 'Undo and redo', 'core', [REJECT, READ]),
          feature(6, 'Describe every command in the manual', 'docs', []),
        ],
      },
    ],
    estimate: {
      source: 'recorded',
      model: 'claude-sonnet',
      jobs: 3,
      features: 14,
      usd: { low: 0.42, high: 1.9 },
      ms: { low: 1_260_000, high: 4_500_000 },
    },
    timeline: isOpen(job) ? null : sampleTimeline(),
  };
  return asked === undefined ? withWork(plan, isOpen(job)) : plan;
}
