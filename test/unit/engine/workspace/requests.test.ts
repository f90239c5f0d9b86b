/** EngineRequests on a state that is given: what is refused, and what is committed. */
import { describe, expect, it } from 'vitest';
import type { EngineRequests, RequestPorts } from '../../../../src/engine/job/requests/ports.ts';
import type { RequestInput, RequestName } from '../../../../src/engine/state/api.ts';
import { handleRequest, requestTable } from '../../../../src/engine/workspace/requests.ts';
import type { EventDraft } from '../../../../src/shared/workspace/events.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';
import { approvalRow, JOB_ID, jobRow, stateOf } from '../../../support/state/builders.ts';

function requesting(state: State) {
  const committed: EventDraft[] = [];
  const worked: string[] = [];
  const store = { state, commit: async (draft: EventDraft) => void committed.push(draft) };
  const table = requestTable({ store, work: (jobId: string) => void worked.push(jobId) } as unknown as RequestPorts);
  const request = <N extends RequestName>(name: N, input: RequestInput<N>) =>
    handleRequest(table as unknown as EngineRequests, name, input);
  return { request, committed, worked };
}

describe('an answer to questions of one cause', () => {
  const asked = (id: number, job_id: string, code: string) =>
    approvalRow({ id, job_id, kind: 'provider', subject: `provider:${code}:${id}` });
  const at = () =>
    requesting(
      stateOf({
        jobs: ['a', 'b', 'c'].map((id) => jobRow({ id, status: 'awaiting_steward' })),
        approvals: [asked(1, 'a', 'KEY_MISSING'), asked(2, 'b', 'KEY_MISSING'), asked(3, 'c', 'NO_CREDIT')],
      }),
    );

  it('counts for those that were shown with it', async () => {
    const { request, committed, worked } = at();
    await request('decide', { approvalId: 1, decision: 'approved', also: [2] });
    expect(committed).toMatchObject([
      { type: 'approval_decided', id: 1, decision: 'approved' },
      { type: 'approval_decided', id: 2, decision: 'approved' },
    ]);
    expect(worked).toEqual(['a', 'b']);
  });

  it('counts for no other: neither one that was not shown, nor one of another cause', async () => {
    const { request, committed } = at();
    await expect(request('decide', { approvalId: 1, decision: 'approved', also: [2, 3] })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'question 3 has another cause than question 1',
    });
    expect(committed).toEqual([]);
    await request('decide', { approvalId: 1, decision: 'approved' });
    expect(committed).toHaveLength(1);
  });
});

describe('mergeJob at the gate', () => {
  const CHOICES = ['merge', 'branch', 'patch'];
  const at = (gate: Parameters<typeof approvalRow>[0] = {}) =>
    requesting(
      stateOf({
        jobs: [jobRow({ status: 'awaiting_steward', head: 'h2' })],
        approvals: [approvalRow({ id: 7, kind: 'merge', commit: 'h2', choices: CHOICES, ...gate })],
      }),
    );

  it('answers the question that was looked at', async () => {
    const { request, committed, worked } = at();
    await request('mergeJob', { jobId: JOB_ID, mode: 'branch', approvalId: 7 });
    expect(committed).toMatchObject([{ type: 'approval_decided', id: 7, decision: 'approved', choice: 'branch' }]);
    expect(worked).toEqual([JOB_ID]);
  });

  it.each([6, null])('answers no other one: looked at %s', async (approvalId) => {
    const { request, committed } = at();
    await expect(request('mergeJob', { jobId: JOB_ID, mode: 'merge', approvalId })).rejects.toMatchObject({
      code: 'NOT_PERMITTED',
    });
    expect(committed).toEqual([]);
  });

  it('does not merge another commit than the question is about', async () => {
    const { request, committed } = at({ commit: 'h1' });
    await expect(request('mergeJob', { jobId: JOB_ID, mode: 'merge', approvalId: 7 })).rejects.toMatchObject({
      code: 'NOT_PERMITTED',
    });
    expect(committed).toEqual([]);
  });

  it('merges again at a conflict', async () => {
    const { request, committed } = at({ kind: 'conflict', commit: null, choices: ['retry', 'branch', 'patch'] });
    await request('mergeJob', { jobId: JOB_ID, mode: 'merge', approvalId: 7 });
    expect(committed).toMatchObject([{ type: 'approval_decided', choice: 'retry' }]);
  });
});

describe('resumeJob', () => {
  const waiting = () =>
    requesting(stateOf({ jobs: [jobRow({ status: 'waiting', wake_at: '2026-11-21T13:00:00.000Z' })] }));

  it('wakes what waits for a time', async () => {
    const { request, committed, worked } = waiting();
    await request('resumeJob', { jobId: JOB_ID });
    expect(committed).toMatchObject([{ type: 'tried_now', of: 'job', id: JOB_ID }]);
    expect(worked).toEqual([JOB_ID]);
  });

  it('lets it wait on where that is requested, carried out again', async () => {
    const { request, committed, worked } = waiting();
    await request('resumeJob', { jobId: JOB_ID, wake: false });
    expect(committed).toEqual([]);
    expect(worked).toEqual([JOB_ID]);
  });
});
