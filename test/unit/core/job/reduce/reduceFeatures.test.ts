/** Features: what attempts and people do to them, and what follows for their questions, attempts and phases. */
import { describe, expect, it } from 'vitest';
import type { FeatureStatus, JobOptions } from '../../../../../src/shared/job/rows.ts';
import type { EventDraft } from '../../../../../src/shared/workspace/events.ts';
import { featureRow, JOB_ID, newApproval, planOf, verdict } from '../../../../support/state/builders.ts';
import {
  acceptedJob,
  approvalDecided,
  attemptBegun,
  attemptEnded,
  type Fold,
  phaseStarted,
  sessionEnd,
} from '../../../../support/state/fold.ts';
import { ILLEGAL } from '../../../../support/state/refusals.ts';

const job_id = JOB_ID;
const by = 'steward';

function underWay(features: readonly string[] = ['a', 'b'], options: Partial<JobOptions> = {}): Fold {
  const fold = acceptedJob(planOf({ Core: features }), options);
  fold.commit(phaseStarted());
  return fold;
}

function set(id: number, status: FeatureStatus): EventDraft {
  return { type: 'feature_set', id, status, by, reason: null };
}

function failed(fold: Fold, attempt: number, feature: number): void {
  fold.commit(
    ...attemptBegun(attempt, feature),
    attemptEnded({ id: attempt, status: 'failed', feedback: `try ${attempt}`, session: sessionEnd(attempt) }),
  );
}

function succeeded(fold: Fold, attempt: number, feature: number): void {
  const end = { status: 'succeeded', commit: `c${attempt}`, session: sessionEnd(attempt) } as const;
  fold.commit(...attemptBegun(attempt, feature), attemptEnded({ id: attempt, ...end }));
}

/** The feature asks, and waits. */
function stuck(fold: Fold, attempt: number, feature: number, approval: number): void {
  const asks = newApproval({ id: approval, kind: 'stuck', subject: `stuck:${feature}`, feature_id: feature });
  fold.commit(
    ...attemptBegun(attempt, feature),
    attemptEnded({ id: attempt, status: 'stuck', approval: asks, session: sessionEnd(attempt) }),
  );
}

describe('an attempt that ends', () => {
  it('completes its feature with the commit, which becomes the head', () => {
    const fold = underWay();
    succeeded(fold, 1, 1);
    expect(fold.state.features.get(1)).toMatchObject({ status: 'completed', commit: 'c1', feedback: null });
    expect(fold.state.jobs.get(JOB_ID)?.head).toBe('c1');
  });

  it('uses one retry when it failed, and fails the feature at the limit', () => {
    const fold = underWay(['a'], { maxRetries: 2 });
    failed(fold, 1, 1);
    expect(fold.state.features.get(1)).toMatchObject({ status: 'pending', retry_count: 1, feedback: 'try 1' });
    failed(fold, 2, 1);
    expect(fold.state.features.get(1)).toMatchObject({
      status: 'failed',
      retry_count: 2,
      failure_reason: 'exceeded 2 retries',
    });
  });

  it.each(['stuck', 'blocked'] as const)('%s uses no retry, and must ask something', (status) => {
    const fold = underWay();
    fold.commit(...attemptBegun(1, 1));
    const silent = attemptEnded({ id: 1, status, session: sessionEnd(1) });
    expect(() => fold.commit(silent)).toThrow(ILLEGAL);
    const approval = newApproval({ id: 1, kind: 'stuck', subject: `${status}:1`, feature_id: 1 });
    fold.commit(attemptEnded({ id: 1, status, approval, session: sessionEnd(1) }));
    expect(fold.state.features.get(1)).toMatchObject({ status: 'pending', retry_count: 0 });
  });

  it.each(['crash', 'pause', 'unavailable'] as const)('is only interrupted by a %s, which uses no retry', (cause) => {
    const fold = underWay();
    fold.commit(...attemptBegun(1, 1), { type: 'attempt_interrupted', id: 1, job_id, cause });
    const crashes = cause === 'crash' ? 1 : 0;
    expect(fold.state.features.get(1)).toMatchObject({ status: 'in_progress', retry_count: 0, crash_count: crashes });
    expect(fold.state.attempts.get(1)).toMatchObject({ status: 'interrupted', interruptions: crashes });
  });

  it('ends the review of the same feature, whose verdict was part of it', () => {
    const fold = underWay();
    fold.commit(...attemptBegun(1, 1), {
      type: 'session_started',
      id: 9,
      job_id,
      project_id: 'default',
      role: 'reviewer',
      model: 'm',
      phase_id: 1,
      notes: [],
    });
    fold.commit(attemptEnded({ id: 1, status: 'failed', session: sessionEnd(1) }));
    expect(fold.state.sessions.get(9)).toMatchObject({ status: 'completed', error_message: null });
  });
});

describe('an attempt that begins', () => {
  it.each([
    ['a second one in the job', () => attemptBegun(2, 2)],
    ['in another phase than its feature', () => attemptBegun(2, 2, 2)],
    ['a review while the phase is worked on', () => attemptBegun(2, null)],
  ])('is refused: %s', (what, drafts) => {
    const fold = acceptedJob(planOf({ Core: ['a', 'b'], More: ['c'] }));
    fold.commit(phaseStarted(), phaseStarted(2));
    if (what.startsWith('a second')) fold.commit(...attemptBegun(1, 1));
    const [session, attempt] = drafts() as [EventDraft, EventDraft];
    fold.commit(session);
    expect(() => fold.commit(attempt)).toThrow(ILLEGAL);
  });

  it('is refused in a session that is over', () => {
    const fold = underWay();
    const [session, attempt] = attemptBegun(1, 1) as [EventDraft, EventDraft];
    fold.commit(session, { type: 'session_ended', session: sessionEnd(1) });
    expect(() => fold.commit(attempt)).toThrow(ILLEGAL);
  });
});

describe('a feature set by hand', () => {
  it('belongs to the loop alone while it is worked on', () => {
    const fold = underWay();
    fold.commit(...attemptBegun(1, 1));
    for (const status of ['pending', 'completed', 'failed'] as const)
      expect(() => fold.commit(set(1, status))).toThrow('feature 1 is being worked on');
  });

  it('cannot be put in progress, unless it belongs to no job', () => {
    const fold = underWay();
    expect(() => fold.commit(set(1, 'in_progress'))).toThrow(ILLEGAL);
    const features = [featureRow({ id: 50, job_id: null, phase_id: null })];
    fold.commit({ type: 'imported', source: 'x', features, notes: [], sessions: [] }, set(50, 'in_progress'));
    expect(fold.state.features.get(50)?.status).toBe('in_progress');
  });

  it('starts afresh when it is pending again', () => {
    const fold = underWay(['a'], { maxRetries: 1 });
    failed(fold, 1, 1);
    fold.commit(set(1, 'pending'));
    expect(fold.state.features.get(1)).toMatchObject({
      status: 'pending',
      retry_count: 0,
      failure_reason: null,
      completed_at: null,
    });
  });

  it('keeps its retries when the engine only puts it back', () => {
    const fold = underWay(['a']);
    failed(fold, 1, 1);
    fold.commit({ type: 'feature_set', id: 1, status: 'pending', by: 'engine', reason: 'lost' });
    expect(fold.state.features.get(1)?.retry_count).toBe(1);
  });

  it('ends the interrupted attempt at it, with its session', () => {
    const fold = underWay();
    fold.commit(...attemptBegun(1, 1), { type: 'attempt_interrupted', id: 1, job_id, cause: 'pause' });
    fold.commit(set(1, 'completed'));
    expect(fold.state.attempts.get(1)).toMatchObject({ status: 'abandoned', cause: 'set by hand' });
    expect(fold.state.sessions.get(1)?.status).toBe('failed');
  });

  it('settles the question about it, and the job that waited for only that goes on', () => {
    const fold = underWay();
    stuck(fold, 1, 1, 1);
    fold.commit({ type: 'job_awaiting', job_id, reason: 'stuck' }, set(1, 'completed'));
    expect(fold.state.approvals.get(1)).toMatchObject({ status: 'void', feedback: 'the feature was set by hand' });
    expect(fold.state.jobs.get(JOB_ID)?.status).toBe('running');
  });

  it('leaves the job waiting for what is asked about all of it', () => {
    const fold = underWay();
    stuck(fold, 1, 1, 1);
    const asked = newApproval({ id: 2, kind: 'provider', subject: 'provider:x' });
    fold.commit({ type: 'approval_requested', approval: asked }, { type: 'job_awaiting', job_id, reason: 'key' });
    fold.commit(set(1, 'completed'));
    expect(fold.state.jobs.get(JOB_ID)?.status).toBe('awaiting_steward');
  });
});

describe('a feature set by hand in a phase that is past it', () => {
  function reviewing(features: readonly string[], options: Partial<JobOptions> = {}): Fold {
    const fold = underWay(features, { maxRetries: 1, ...options });
    succeeded(fold, 1, 1);
    failed(fold, 2, 2);
    fold.commit(
      { type: 'phase_summarized', job_id, phase_id: 1, attempt: 1, summary: 's', session: null },
      { type: 'phase_reviewing', job_id, phase_id: 1 },
    );
    return fold;
  }

  it('takes a phase under review back to work, where the review begins anew', () => {
    const fold = reviewing(['a', 'b']);
    fold.commit(...attemptBegun(3, null), { type: 'attempt_interrupted', id: 3, job_id, cause: 'crash' });
    fold.commit(set(2, 'pending'));
    const again = { status: 'pending', attempt: 1, review_attempt: null, summary_attempt: 0 };
    expect(fold.state.phases.get(1)).toMatchObject(again);
    expect(fold.state.attempts.get(3)).toMatchObject({ status: 'abandoned', cause: 'the phase is repeated' });
  });

  it('leaves a running review to its loop', () => {
    const fold = reviewing(['a', 'b']);
    fold.commit(...attemptBegun(3, null), set(2, 'pending'));
    expect(fold.state.attempts.get(3)?.status).toBe('running');
    fold.commit(attemptEnded({ id: 3, status: 'succeeded', verdict: verdict(), session: sessionEnd(3) }));
    expect(fold.state.phases.get(1)).toMatchObject({ status: 'pending', review_attempt: null });
  });

  it('does so too when a feature that was held becomes free', () => {
    const fold = reviewing(['a', 'b', 'c < b']);
    fold.commit(set(2, 'completed'));
    expect(fold.state.phases.get(1)?.status).toBe('pending');
  });

  it('leaves the phase under review when the feature stays held', () => {
    const fold = reviewing(['a', 'b', 'c < b']);
    fold.commit(set(3, 'failed'), set(3, 'pending'));
    expect(fold.state.phases.get(1)?.status).toBe('reviewing');
  });

  it('changes nothing for the phase when nothing is left to do', () => {
    const fold = reviewing(['a', 'b']);
    fold.commit(set(2, 'completed'));
    expect(fold.state.phases.get(1)?.status).toBe('reviewing');
  });

  it('opens a completed phase again, and what is under review after it', () => {
    const fold = acceptedJob(planOf({ Core: ['a'], More: ['b'] }));
    for (const [phase, feature] of [[1, 1] as const, [2, 2] as const]) {
      fold.commit(phaseStarted(phase), ...attemptBegun(feature, feature, phase));
      fold.commit(attemptEnded({ id: feature, status: 'succeeded', commit: 'c', session: sessionEnd(feature) }));
      fold.commit({ type: 'phase_reviewing', job_id, phase_id: phase });
      if (phase === 1) fold.commit({ type: 'phase_approved', job_id, phase_id: 1, by: 'reviewer', reason: 'good' });
    }
    fold.commit(set(1, 'pending'));
    expect([...fold.state.phases.values()].map((row) => [row.status, row.completed_at])).toEqual([
      ['pending', null],
      ['pending', null],
    ]);
  });
});

describe('a feature retried by hand', () => {
  const again: EventDraft = { type: 'feature_retried', id: 1, by, feedback: 'again' };

  it('uses a retry, fails at the limit, and stays there', () => {
    const fold = underWay(['a'], { maxRetries: 2 });
    fold.commit(again);
    expect(fold.state.features.get(1)).toMatchObject({ status: 'pending', retry_count: 1, feedback: 'again' });
    fold.commit(again);
    expect(fold.state.features.get(1)).toMatchObject({ status: 'failed', retry_count: 2 });
    fold.commit(again);
    expect(fold.state.features.get(1)).toMatchObject({ status: 'failed', retry_count: 2 });
  });

  it('is as new when it was completed or failed before', () => {
    const fold = underWay(['a']);
    succeeded(fold, 1, 1);
    fold.commit(again);
    const fresh = { status: 'pending', completed_at: null, failure_reason: null, commit: null };
    expect(fold.state.features.get(1)).toMatchObject(fresh);
    fold.commit(set(1, 'failed'), again);
    expect(fold.state.features.get(1)).toMatchObject(fresh);
  });
});

describe('an answer about a feature', () => {
  it('to a stuck one is its feedback', () => {
    const fold = underWay();
    stuck(fold, 1, 1, 1);
    fold.commit({ type: 'job_awaiting', job_id, reason: 'stuck' }, approvalDecided(1, 'approved', 'use a list'));
    expect(fold.state.features.get(1)?.feedback).toBe('The steward answers: use a list');
    expect(fold.state.jobs.get(JOB_ID)?.status).toBe('running');
  });

  it('lets the job go on while another one is still stuck', () => {
    const fold = underWay();
    stuck(fold, 1, 1, 1);
    stuck(fold, 2, 2, 2);
    fold.commit({ type: 'job_awaiting', job_id, reason: 'stuck' }, approvalDecided(1, 'approved'));
    expect(fold.state.jobs.get(JOB_ID)?.status).toBe('running');
  });

  it('that gives up a crashing one ends its attempt: nobody goes on with it', () => {
    const fold = underWay();
    fold.commit(...attemptBegun(1, 1), { type: 'attempt_interrupted', id: 1, job_id, cause: 'crash' });
    const approval = newApproval({ id: 1, kind: 'crashes', subject: 'crashes:1:1', feature_id: 1 });
    fold.commit({ type: 'approval_requested', approval }, approvalDecided(1, 'rejected', 'leave it'));
    expect(fold.state.features.get(1)).toMatchObject({ status: 'failed', failure_reason: 'leave it' });
    expect(fold.state.attempts.get(1)?.status).toBe('abandoned');
  });

  it('that lets a crashing one go on forgets the crashes', () => {
    const fold = underWay();
    fold.commit(...attemptBegun(1, 1), { type: 'attempt_interrupted', id: 1, job_id, cause: 'crash' });
    const approval = newApproval({ id: 1, kind: 'crashes', subject: 'crashes:1:1', feature_id: 1 });
    fold.commit({ type: 'approval_requested', approval }, approvalDecided(1, 'approved'));
    expect(fold.state.features.get(1)).toMatchObject({ status: 'in_progress', crash_count: 0 });
  });
});
