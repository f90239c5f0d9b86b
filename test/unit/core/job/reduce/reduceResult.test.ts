import { describe, expect, it } from 'vitest';
import { subjectOf } from '../../../../../src/core/approval/about.ts';
import { needsAnswer } from '../../../../../src/core/approval/stewardship.ts';
import { JOB_ID, newApproval, planOf } from '../../../../support/state/builders.ts';
import { acceptedJob, attemptBegun, attemptEnded, phaseStarted } from '../../../../support/state/fold.ts';

const job_id = JOB_ID;
const MERGE = { mode: 'branch', target: 'autonomous/1', commit: 'h', previous: null, checkedOut: false } as const;

/** A job whose only phase is completed. */
function finished() {
  const fold = acceptedJob(planOf({ Core: ['a'] }));
  fold.commit(phaseStarted(1), ...attemptBegun(1, 1), attemptEnded({ id: 1, status: 'succeeded', commit: 'h' }));
  fold.commit({ type: 'phase_reviewing', job_id, phase_id: 1 });
  fold.commit({ type: 'phase_approved', job_id, phase_id: 1, by: 'reviewer', reason: 'good' });
  return fold;
}

const verified = (feedback: string | null) =>
  ({
    type: 'result_verified',
    job_id,
    commit: 'h',
    evidence: [],
    feedback,
    fix_feature_id: feedback === null ? null : 50,
  }) as const;

describe('the result as a whole', () => {
  it('that passes is known by its commit', () => {
    const fold = finished();
    fold.commit(verified(null));
    expect(fold.state.jobs.get(job_id)?.verified).toBe('h');
  });

  it('that was folded is the new head, and features are the commits that they became', () => {
    const fold = finished();
    const before = fold.state.features.get(1)?.commit ?? '';
    const folded = { head: 'f', moved: [{ from: before, to: 'f' }], apart: [] };
    fold.commit({ ...verified(null), folded });
    expect(fold.state.jobs.get(job_id)).toMatchObject({ verified: 'f', head: 'f' });
    expect(fold.state.features.get(1)?.commit).toBe('f');
  });

  it('that fails reopens the last phase with a fix feature, in the same line', () => {
    const fold = finished();
    fold.commit(verified('node --test failed'));
    expect(fold.state.jobs.get(job_id)?.verified).toBeNull();
    expect(fold.state.phases.get(1)).toMatchObject({ status: 'pending', feedback: 'node --test failed', attempt: 1 });
    expect(fold.state.features.get(50)).toMatchObject({ status: 'pending', category: 'fix', phase_id: 1 });
  });

  it('that fails is taken only by words of a person about this very commit', () => {
    const fold = finished();
    const taken = { type: 'result_accepted', job_id, commit: 'h', approval_id: 1 } as const;
    const approval = newApproval({
      id: 1,
      kind: 'escalate',
      subject: subjectOf({ of: 'accept', commit: 'h' }),
      commit: 'h',
    });
    expect(needsAnswer(approval)).toBe(true);
    expect(() => fold.commit(taken)).toThrow(/takes h as it is/);
    fold.commit({ type: 'approval_requested', approval });
    expect(() => fold.commit(taken)).toThrow(/takes h as it is/);
    fold.commit({
      type: 'approval_decided',
      id: 1,
      decision: 'approved',
      choice: null,
      feedback: 'Known.',
      by: 'steward',
    });
    expect(() => fold.commit({ ...taken, commit: 'x' })).toThrow(/takes x as it is/);
    fold.commit(taken);
    expect(fold.state.jobs.get(job_id)?.verified).toBe('h');
  });

  it('is verified anew when the base was merged in', () => {
    const fold = finished();
    fold.commit(verified(null), { type: 'merge_begun', job_id, commit: 'h', mode: 'merge' });
    expect(fold.state.jobs.get(job_id)?.merging).toBe(true);
    fold.commit({ type: 'base_merged', job_id, baseline: 'b2', head: 'h2' });
    expect(fold.state.jobs.get(job_id)).toMatchObject({ verified: null, merging: false, head: 'h2' });
    const before = fold.state.phases.get(1)?.base_commit;
    expect(before).not.toBe('c');
    expect(fold.state.jobs.get(job_id)?.base_merges).toEqual([{ base: 'b2', onto: 'h', head: 'h2', gained: null }]);
    const gained = { count: 1, subjects: ['Test nine'] };
    fold.commit({
      type: 'base_merged',
      job_id,
      baseline: 'b3',
      head: 'h3',
      gained,
      phases: [{ phase_id: 1, base_commit: 'c' }],
    });
    expect(fold.state.phases.get(1)?.base_commit).toBe('c');
    expect(fold.state.jobs.get(job_id)?.base_merges.at(-1)).toEqual({ base: 'b3', onto: 'h2', head: 'h3', gained });
    const foreign = { type: 'base_merged', job_id, baseline: 'b4', head: 'h4' } as const;
    expect(() => fold.commit({ ...foreign, phases: [{ phase_id: 9, base_commit: 'c' }] })).toThrow(/not of job/);
  });

  it('can be taken elsewhere once the job is over, and only then', () => {
    const fold = finished();
    const taken = { type: 'result_merged', job_id, merge: { ...MERGE, rolledBack: false, note: null } } as const;
    expect(() => fold.commit(taken)).toThrow(/it is not over/);
    fold.commit({ type: 'job_cancelled', job_id, reason: 'enough', by: 'steward' }, taken);
    expect(fold.state.jobs.get(job_id)).toMatchObject({ status: 'cancelled', merge: { target: 'autonomous/1' } });
  });
});

describe('a gate whose ground moved', () => {
  it('is void when a feature is set to pending by hand: the merge is asked about anew, later', () => {
    const fold = finished();
    fold.commit(verified(null), {
      type: 'approval_requested',
      approval: {
        id: 7,
        job_id,
        kind: 'merge',
        subject: 'merge:h',
        question: 'Merge?',
        detail: '',
        phase_id: null,
        feature_id: null,
        commit: 'h',
        executables: [],
        choices: [],
      },
    });
    fold.commit({ type: 'job_awaiting', job_id, reason: 'Merge?' });
    fold.commit({ type: 'feature_set', id: 1, status: 'pending', by: 'steward', reason: null });
    expect(fold.state.approvals.get(7)?.status).toBe('void');
    expect(fold.state.jobs.get(job_id)?.status).toBe('running');
    expect(fold.state.phases.get(1)?.status).toBe('pending');
  });
});
