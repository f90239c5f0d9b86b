/** Wishes on a state that is given: what is refused, and what is committed. */
import { describe, expect, it } from 'vitest';
import type { WishInput, WishName } from '../../../src/engine/api.ts';
import type { Wishes, WishPorts } from '../../../src/engine/wishes/ports.ts';
import { grant, wishTable } from '../../../src/engine/wishes.ts';
import type { EventDraft } from '../../../src/shared/events.ts';
import type { State } from '../../../src/shared/state.ts';
import { approvalRow, JOB_ID, jobRow, stateOf } from '../../support/builders.ts';

function wishing(state: State) {
  const committed: EventDraft[] = [];
  const worked: string[] = [];
  const store = { state, commit: async (draft: EventDraft) => void committed.push(draft) };
  const table = wishTable({ store, work: (jobId: string) => void worked.push(jobId) } as unknown as WishPorts);
  const wish = <N extends WishName>(name: N, input: WishInput<N>) => grant(table as unknown as Wishes, name, input);
  return { wish, committed, worked };
}

describe('mergeJob at the gate', () => {
  const CHOICES = ['merge', 'branch', 'patch'];
  const at = (gate: Parameters<typeof approvalRow>[0] = {}) =>
    wishing(
      stateOf({
        jobs: [jobRow({ status: 'awaiting_steward', head: 'h2' })],
        approvals: [approvalRow({ id: 7, kind: 'merge', commit: 'h2', choices: CHOICES, ...gate })],
      }),
    );

  it('answers the question that was looked at', async () => {
    const { wish, committed, worked } = at();
    await wish('mergeJob', { jobId: JOB_ID, mode: 'branch', approvalId: 7 });
    expect(committed).toMatchObject([{ type: 'approval_decided', id: 7, decision: 'approved', choice: 'branch' }]);
    expect(worked).toEqual([JOB_ID]);
  });

  it.each([6, null])('answers no other one: looked at %s', async (approvalId) => {
    const { wish, committed } = at();
    await expect(wish('mergeJob', { jobId: JOB_ID, mode: 'merge', approvalId })).rejects.toMatchObject({
      code: 'NOT_PERMITTED',
    });
    expect(committed).toEqual([]);
  });

  it('does not merge another commit than the question is about', async () => {
    const { wish, committed } = at({ commit: 'h1' });
    await expect(wish('mergeJob', { jobId: JOB_ID, mode: 'merge', approvalId: 7 })).rejects.toMatchObject({
      code: 'NOT_PERMITTED',
    });
    expect(committed).toEqual([]);
  });

  it('merges again at a conflict', async () => {
    const { wish, committed } = at({ kind: 'conflict', commit: null, choices: ['retry', 'branch', 'patch'] });
    await wish('mergeJob', { jobId: JOB_ID, mode: 'merge', approvalId: 7 });
    expect(committed).toMatchObject([{ type: 'approval_decided', choice: 'retry' }]);
  });
});

describe('resumeJob', () => {
  const waiting = () =>
    wishing(stateOf({ jobs: [jobRow({ status: 'waiting', wake_at: '2026-11-21T13:00:00.000Z' })] }));

  it('wakes what waits for a time', async () => {
    const { wish, committed, worked } = waiting();
    await wish('resumeJob', { jobId: JOB_ID });
    expect(committed).toMatchObject([{ type: 'tried_now', of: 'job', id: JOB_ID }]);
    expect(worked).toEqual([JOB_ID]);
  });

  it('lets it wait on where that is wished, carried out again', async () => {
    const { wish, committed, worked } = waiting();
    await wish('resumeJob', { jobId: JOB_ID, wake: false });
    expect(committed).toEqual([]);
    expect(worked).toEqual([JOB_ID]);
  });
});
