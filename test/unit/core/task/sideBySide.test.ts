/** Several agents try one feature: what is next, what counts, and what makes their results worth nothing. */

import { describe, expect, it } from 'vitest';
import { subjectOf } from '../../../../src/core/approval/about.ts';
import { nextAction } from '../../../../src/core/job/nextAction.ts';
import { need } from '../../../../src/core/state/rows.ts';
import type { EventDraft } from '../../../../src/shared/workspace/events.ts';
import { JOB_ID, newApproval, PROJECT_ID, planOf, START_MS } from '../../../support/state/builders.ts';
import {
  acceptedJob,
  approvalDecided,
  attemptEnded,
  type Fold,
  phaseStarted,
  sessionEnd,
} from '../../../support/state/fold.ts';

const PLAN = planOf({ Core: ['A', 'B'] });
const [A, B] = [1, 2];

function begun(): Fold {
  const fold = acceptedJob(PLAN);
  fold.commit(phaseStarted(), {
    type: 'feature_executors_chosen',
    id: A,
    executors: ['one', 'two'],
    by: 'steward',
  });
  return fold;
}

function started(id: number, feature_id: number, executor: string, base_commit = 'base'): readonly EventDraft[] {
  const session = { id, job_id: JOB_ID, project_id: PROJECT_ID, role: 'worker', model: 'm', phase_id: 1 } as const;
  return [
    { type: 'session_started', ...session, executor, notes: [] },
    { type: 'attempt_started', id, session_id: id, job_id: JOB_ID, phase_id: 1, feature_id, base_commit, notes: [] },
  ];
}

function tried(fold: Fold, id: number, executor: string, commit: string | null): void {
  const status = commit === null ? 'failed' : 'succeeded';
  const session = sessionEnd(id);
  fold.commit(...started(id, A, executor), attemptEnded({ id, status, commit, feedback: `by ${executor}`, session }));
}

const next = (fold: Fold) => nextAction(fold.state, JOB_ID, START_MS);
const feature = (fold: Fold, id = A) => need(fold.state, 'features', id);

function askedPick(fold: Fold): number {
  const action = next(fold);
  if (action.do !== 'ask' || action.question.kind !== 'pick') throw new Error(`next is ${action.do}`);
  const choices = action.question.candidates.filter((row) => row.status === 'succeeded').map((row) => String(row.id));
  const approval = newApproval({ id: 90, kind: 'pick', subject: subjectOf(action.about), feature_id: A, choices });
  fold.commit({ type: 'approval_requested', approval });
  return approval.id;
}

describe('a feature that several agents try', () => {
  it('counts only with the result that a person picked', () => {
    const fold = begun();
    tried(fold, 1, 'one', 'c1');
    expect(feature(fold)).toMatchObject({ status: 'pending', candidates: [1], retry_count: 0, commit: null });
    expect(need(fold.state, 'jobs', JOB_ID).head).toBe('base');
    tried(fold, 2, 'two', 'c2');
    const id = askedPick(fold);
    expect(next(fold)).toMatchObject({ do: 'await' });
    fold.commit({ type: 'approval_decided', id, decision: 'approved', choice: '2', feedback: null, by: 'steward' });
    expect(next(fold)).toMatchObject({ do: 'pick', attempt: { id: 2 } });
    const none = { attempt_id: 1, feedback: null, by: 'steward' } as const;
    expect(() => fold.commit({ type: 'candidate_picked', id: B, commit: 'x', ...none })).toThrow(
      /no candidate results/,
    );
    fold.commit({ type: 'candidate_picked', id: A, attempt_id: 2, commit: 'p', feedback: null, by: 'steward' });
    expect(feature(fold)).toMatchObject({ status: 'completed', commit: 'p', candidates: [] });
    expect(need(fold.state, 'jobs', JOB_ID).head).toBe('p');
  });

  it('is tried by all before anything else is worked on, whatever the order', () => {
    const fold = begun();
    tried(fold, 1, 'one', 'c1');
    fold.commit({ type: 'feature_reordered', id: B, position: -1 });
    expect(next(fold)).toMatchObject({ do: 'attempt', feature: { id: A } });
    fold.commit(...started(2, A, 'two'));
    const approval = newApproval({ id: 80, kind: 'stuck', subject: 'stuck:1', feature_id: A });
    fold.commit(attemptEnded({ id: 2, status: 'stuck', approval, session: sessionEnd(2) }));
    expect(feature(fold).candidates).toEqual([1]);
    expect(next(fold)).toMatchObject({ do: 'await', approvals: [{ id: 80 }] });
    fold.commit(approvalDecided(80, 'approved', 'Take tabs.'));
    expect(next(fold)).toMatchObject({ do: 'attempt', feature: { id: A } });
  });

  it('uses one retry when nobody passed, or none is picked', () => {
    const fold = begun();
    tried(fold, 1, 'one', null);
    tried(fold, 2, 'two', null);
    expect(next(fold)).toMatchObject({ do: 'pick', attempt: null, feedback: 'by two', by: 'engine' });
    const none = { type: 'candidate_picked', id: A, attempt_id: null, commit: null, by: 'engine' } as const;
    fold.commit({ ...none, feedback: 'by two' });
    expect(feature(fold)).toMatchObject({ status: 'pending', candidates: [], retry_count: 1, feedback: 'by two' });
    tried(fold, 3, 'one', 'c3');
    tried(fold, 4, 'two', null);
    const id = askedPick(fold);
    fold.commit(approvalDecided(id, 'rejected', 'Neither.'));
    expect(next(fold)).toMatchObject({ do: 'pick', attempt: null, feedback: 'Neither.' });
  });

  it('loses the try of one whose question is refused, not the results of the others', () => {
    const fold = begun();
    const asks = (attempt: number, executor: string, id: number) => {
      const approval = newApproval({ id, kind: 'stuck', subject: `stuck:${id}`, feature_id: A });
      const session = sessionEnd(attempt);
      fold.commit(...started(attempt, A, executor), attemptEnded({ id: attempt, status: 'stuck', approval, session }));
      fold.commit(approvalDecided(id, 'rejected', 'Not worth it.'));
    };
    asks(1, 'one', 81);
    expect(feature(fold)).toMatchObject({ status: 'pending', candidates: [1], failure_reason: null });
    tried(fold, 2, 'two', 'c2');
    const action = next(fold);
    expect(action).toMatchObject({ question: { kind: 'pick', candidates: [{ status: 'stuck' }, { id: 2 }] } });
    fold.commit({ type: 'candidate_picked', id: A, attempt_id: null, commit: null, feedback: null, by: 'steward' });
    asks(3, 'one', 83);
    asks(4, 'two', 84);
    expect(feature(fold)).toMatchObject({ status: 'failed', candidates: [], failure_reason: 'Not worth it.' });
  });

  it('keeps the results of those who are chosen again: one that cannot work is done without', () => {
    const fold = begun();
    tried(fold, 1, 'one', 'c1');
    const choose = (executors: readonly string[]): void =>
      void fold.commit({ type: 'feature_executors_chosen', id: A, executors, by: 'steward' });
    choose(['three', 'one']);
    expect(feature(fold)).toMatchObject({ executors: ['one', 'three'], candidates: [1] });
    choose(['one']);
    expect(next(fold)).toMatchObject({ do: 'ask', question: { kind: 'pick', candidates: [{ id: 1 }] } });
    choose(['three']);
    expect(feature(fold)).toMatchObject({ executors: ['three'], candidates: [] });
    expect(next(fold)).toMatchObject({ do: 'attempt' });
  });

  it('keeps the notes of the one that was picked, and resolves those about trees that nobody will see', () => {
    const fold = begun();
    const notes = [1, 2].map((id): EventDraft => {
      const where = { feature_id: null, category: null, file: null, line: null, anchor: null } as const;
      return {
        type: 'note_added',
        note: { id, content: `by ${id}`, created_by_session: id, ...where },
        supersedes: null,
      };
    });
    tried(fold, 1, 'one', 'c1');
    tried(fold, 2, 'two', 'c2');
    fold.commit(...notes);
    fold.commit({ type: 'candidate_picked', id: A, attempt_id: 2, commit: 'p', feedback: null, by: 'steward' });
    expect([1, 2].map((id) => need(fold.state, 'notes', id).superseded_by)).toEqual([0, null]);
  });

  it('is tried anew when the tree, the plan or the choice is another one', () => {
    const moved = begun();
    tried(moved, 1, 'one', 'c1');
    tried(moved, 2, 'two', 'c2');
    const id = askedPick(moved);
    moved.commit(...started(5, B, 'builtin'), attemptEnded({ id: 5, status: 'succeeded', commit: 'b1' }));
    expect(feature(moved).candidates).toEqual([]);
    expect(need(moved.state, 'approvals', id).status).toBe('void');

    const edited = begun();
    tried(edited, 1, 'one', 'c1');
    const plan = structuredClone(PLAN);
    const ids = { phases: [{ id: 1, features: [A, B] }] };
    const about = { type: 'plan_accepted', job_id: JOB_ID, ids, by: 'steward' } as const;
    const proposed = { type: 'plan_proposed', job_id: JOB_ID, plan, by: 'steward', session: null } as const;
    edited.commit({ ...proposed, plan_version: 2 }, { ...about, plan_version: 2 });
    expect(feature(edited).candidates).toEqual([1]);
    const other = structuredClone(PLAN);
    for (const phase of other.phases) phase.verify_commands = ['make check'];
    edited.commit({ ...proposed, plan: other, plan_version: 3 }, { ...about, plan_version: 3 });
    expect(feature(edited).candidates).toEqual([]);

    const chosen = begun();
    tried(chosen, 1, 'one', 'c1');
    chosen.commit({ type: 'feature_executors_chosen', id: A, executors: null, by: 'steward' });
    expect(feature(chosen)).toMatchObject({ executors: null, candidates: [] });
  });
});
