/** The line by which a person who follows several jobs learns that one has ended. */
import { expect, test } from 'vitest';
import { subjectOf } from '../../../../../src/core/approval/about.ts';
import type { MergeResult } from '../../../../../src/shared/job/rows.ts';
import { jobEndedLine } from '../../../../../src/terminal/job/run/jobEnded.ts';
import { approvalRow, JOB_ID, jobRow, stateOf } from '../../../../support/state/builders.ts';

const COMMIT = 'abcdef0123456789';
const ENDED = { type: 'job_completed', job_id: JOB_ID, seq: 9, epoch: 1, at: '2026-11-02T00:00:00.000Z' } as const;
const merge: MergeResult = {
  ...{ mode: 'merge' as const, target: 'main', commit: COMMIT, previous: null },
  ...{ checkedOut: false, rolledBack: false, note: null },
};
const completed = jobRow({ title: 'A stack', status: 'completed', plan_accepted: true, head: COMMIT, merge });

test('names the job, where it was merged, and its cost', () => {
  expect(jobEndedLine({ ...ENDED, merge }, stateOf({ jobs: [completed] }))).toEqual({
    text: `Job ${JOB_ID} "A stack" is completed. Result: merged into main at abcdef012, from branch ${completed.branch}. Cost: $0.0000 (simulated).`,
    tone: 'good',
  });
});

test('states that a result was not merged, and why the job ended', () => {
  const failed = jobRow({ status: 'failed', reason: 'no retries left.', plan_accepted: true });
  const event = { ...ENDED, type: 'job_failed', reason: 'no retries left.' } as const;
  expect(jobEndedLine(event, stateOf({ jobs: [failed] }))?.text).toMatch(
    / is failed: no retries left\. Result: not merged; what was done is branch /,
  );
});

test('is a warning if the steward took a failing result', () => {
  const answer = { status: 'approved', decided_by: 'steward', feedback: 'The registry is down.' } as const;
  const subject = subjectOf({ of: 'accept', commit: COMMIT });
  const approvals = [approvalRow({ id: 8, kind: 'escalate', subject, commit: COMMIT, ...answer })];
  const line = jobEndedLine({ ...ENDED, merge }, stateOf({ jobs: [completed], approvals }));
  expect(line?.tone).toBe('warning');
  expect(line?.text).toMatch(/The steward took it although it fails \(question 8\): The registry is down\.$/);
});
