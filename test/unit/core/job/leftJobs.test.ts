import { describe, expect, test } from 'vitest';
import { askedForKey, jobsToResume } from '../../../../src/core/job/leftJobs.ts';
import type { JobStatus } from '../../../../src/shared/job/rows.ts';
import { approvalRow, JOB_ID, jobOptions, jobRow, START_MS, stateOf } from '../../../support/state/builders.ts';

const left = (status: JobStatus, pending = false) =>
  stateOf({
    jobs: [jobRow({ status })],
    approvals: pending ? [approvalRow({ job_id: JOB_ID, feature_id: null, status: 'pending' })] : [],
  });

describe('what a new owner resumes', () => {
  test.each(['planning', 'running', 'waiting'] as const)('a job that was %s', (status) => {
    expect(jobsToResume(left(status), START_MS)).toEqual([JOB_ID]);
  });

  test('a job whose question was answered while no process worked on it', () => {
    expect(jobsToResume(left('awaiting_steward'), START_MS)).toEqual([JOB_ID]);
  });

  test.each([
    ['paused', false],
    ['completed', false],
    ['failed', false],
    ['cancelled', false],
    ['awaiting_steward', true],
  ] as const)('no job that is %s (with a pending question: %s)', (status, pending) => {
    expect(jobsToResume(left(status, pending), START_MS)).toEqual([]);
  });
});

describe('a question about a missing key', () => {
  const asked = (subject: string, provider: 'anthropic' | 'simulated' = 'anthropic') =>
    stateOf({
      jobs: [jobRow({ status: 'awaiting_steward', options: jobOptions({ provider }) })],
      approvals: [approvalRow({ id: 7, job_id: JOB_ID, kind: 'provider', subject, status: 'pending' })],
    });
  const ids = (state: ReturnType<typeof asked>, has: boolean) => askedForKey(state, () => has).map(({ id }) => id);

  test.each(['provider:KEY_MISSING:7', 'failure:KEY_MISSING:7'])('%s is settled by the key', (subject) => {
    expect(ids(asked(subject), true)).toEqual([7]);
    expect(ids(asked(subject), false)).toEqual([]);
  });

  test('no other question is', () => {
    expect(ids(asked('provider:KEY_REFUSED:7'), true)).toEqual([]);
    expect(ids(asked('plan:1'), true)).toEqual([]);
  });
});
