/** What a project is told of a job of its own. */
import { expect, test } from 'vitest';
import { subjectOf } from '../../../../../src/core/approval/about.ts';
import { endReport, jobReport, outcomeText, planText } from '../../../../../src/core/job/view/jobReport.ts';
import { planId } from '../../../../../src/core/state/planId.ts';
import {
  approvalRow,
  attemptRow,
  featureRow,
  jobRow,
  phaseRow,
  planOf,
  stateOf,
} from '../../../../support/state/builders.ts';

const job = jobRow({
  status: 'completed',
  brief: 'Write a\nstack.',
  merge: {
    ...{ mode: 'merge', target: 'main', commit: 'abcdef0123456789', previous: null },
    ...{ checkedOut: true, rolledBack: false, note: null },
  },
});

test('names commit, files, reports, rejections with their feedback, limits and cost', () => {
  const phase = phaseRow({ id: 1, number: 1, title: 'Core', status: 'completed', summary: 'A stack.' });
  const feature = featureRow({ id: 1, phase_id: 1, name: 'push', status: 'completed' });
  const state = stateOf({
    jobs: [job],
    phases: [phase],
    features: [feature],
    attempts: [
      attemptRow({ id: 1, feature_id: 1, status: 'failed', summary: 'Half.' }),
      attemptRow({
        ...{ id: 2, feature_id: 1, status: 'succeeded', summary: 'All of it.' },
        changed: { files: 3, added: 10, removed: 2 },
      }),
      attemptRow({
        ...{ id: 3, feature_id: null, status: 'succeeded' },
        verdict: { verdict: 'REJECTED', reason: 'no', feedback: 'Test the empty stack.', reopen: [] },
      }),
    ],
    approvals: [
      approvalRow({ id: 1, kind: 'plan', status: 'rejected', question: 'Run this plan?', feedback: 'Smaller.' }),
      approvalRow({ id: 2, kind: 'limit', status: 'approved', question: 'Raise the budget?' }),
    ],
  });
  expect(outcomeText(state, job)).toBe('it completed, and its result was merged into main');
  expect(jobReport(state, job)).toEqual([
    '- Asked: Write a stack.',
    '- Commit: abcdef012345',
    '- Phase 1, Core: completed. A stack.',
    '  - Feature push: completed, 2 attempts, 3 files changed (+10 -2). Reported: All of it.',
    '- The reviewer rejected a phase: Test the empty stack.',
    '- The steward rejected (plan): Run this plan? Feedback: Smaller.',
    '- Limit reached: Raise the budget?',
    '- Cost: $0.0000',
  ]);
  expect(planText(state, job)).toBeNull();
  // A project that knows its job reads no brief, and each result once.
  const [asked, ...rest] = jobReport(state, job);
  expect(asked).toMatch(/^- Asked: /);
  expect(endReport(state, job)).toEqual(rest.map((line) => line.replace('. Reported: All of it.', '')));
  const [summarized] = [...state.phases.values()];
  if (summarized !== undefined) state.phases.set(1, { ...summarized, summary: null });
  expect(endReport(state, job).join('\n')).toContain('Reported: All of it.');
});

test('a plan that asks and installs says so to its project and the main agent', () => {
  const plan = { ...planOf({ Core: ['a'] }), questions: ['Tabs?'], setup: ['npm install'], assumptions: ['Node only'] };
  const job = jobRow({ plan_accepted: false });
  const plans = [{ id: planId(job.id, 1), job_id: job.id, version: 1, plan, by: 'planner' as const, at: '' }];
  expect(
    planText(stateOf({ jobs: [job], plans }), job)
      ?.split('\n')
      .slice(0, 5),
  ).toEqual([
    'Plan, version 1, not accepted yet: The plan',
    '- Question to the steward: Tabs?',
    '- Setup command: npm install',
    '- Assumption: Node only',
    '1. Core: It works',
  ]);
});

test('a cancelled job failed at nothing that was left, and the addition to a brief is marked', () => {
  const brief = 'Write a stack.\n\n# Added by the project\nIt must have peek.';
  const job = jobRow({ status: 'cancelled', reason: 'cancelled by project api: no longer needed.', brief });
  const state = stateOf({
    jobs: [job],
    phases: [phaseRow({ title: 'Core', status: 'failed', error_message: 'job cancelled' })],
    features: [featureRow({ name: 'push', status: 'pending' })],
  });
  expect(outcomeText(state, job)).toBe('it was cancelled by project api: no longer needed');
  expect(jobReport(state, job)).toEqual([
    '- Asked: Write a stack. (added by the project) It must have peek.',
    '- Phase 1, Core: not finished.',
    '  - Feature push: not finished',
    '- Cost: $0.0000',
  ]);
  expect(jobReport(state, { ...job, head: 'abc' })).toContain('- Commit: abc, not merged');
  const failed = stateOf({ jobs: [job], phases: [phaseRow({ status: 'failed', error_message: 'no verdict' })] });
  expect(jobReport(failed, job).join('\n')).toContain(': failed.');
});

test('"you" of a reason is the steward', () => {
  const outcome = (patch: Parameters<typeof jobRow>[0]) => outcomeText(stateOf({}), jobRow(patch));
  expect(outcome({ status: 'cancelled', reason: 'cancelled by you' })).toBe('it was cancelled by the steward');
  expect(outcome({ status: 'paused', reason: 'paused by you' })).toBe('it was paused by the steward');
  expect(outcome({ status: 'failed', reason: 'No plan.' })).toBe('it failed: No plan');
});

test('the outcome names where the result is', () => {
  const result = (mode: 'branch' | 'patch', target: string) => {
    const merge = {
      ...{ mode, target, commit: null, previous: null },
      checkedOut: true,
      rolledBack: false,
      note: null,
    };
    return outcomeText(stateOf({}), { ...job, merge });
  };
  expect(result('branch', 'stack')).toBe('it completed, and its result is on the branch stack');
  expect(result('patch', '/a.patch')).toBe('it completed, and its result is the patch /a.patch');
});

test('a failing result that was taken is stated once', () => {
  const commit = 'abcdef0123456789';
  const subject = subjectOf({ of: 'accept', commit });
  const by = { status: 'approved', decided_by: 'steward', feedback: 'The registry is down.' } as const;
  const taken = jobRow({ status: 'completed', head: commit });
  const approvals = [approvalRow({ id: 8, kind: 'escalate', subject, commit, question: 'Take it?', ...by })];
  const text = jobReport(stateOf({ jobs: [taken], approvals }), taken).join('\n');
  expect(text.split('The registry is down.')).toHaveLength(2);
});
