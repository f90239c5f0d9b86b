import { describe, expect, it } from 'vitest';
import { untold } from '../../../../src/core/approval/sameCause.ts';
import {
  glance,
  orderedChoices,
  pendingApprovals,
  questionIn,
  questionKey,
  rejectionFeedback,
  reviewOrder,
  reviewRange,
  takesRemarksOf,
} from '../../../../src/core/approval/stewardship.ts';
import { approvalRow, jobOptions, jobRow, phaseRow, stateOf } from '../../../support/state/builders.ts';

describe('what the steward is told of', () => {
  it('is what waits and was not told yet, oldest first', () => {
    const state = stateOf({
      approvals: [
        approvalRow({ id: 4 }),
        approvalRow({ id: 2 }),
        approvalRow({ id: 3, status: 'approved' }),
        approvalRow({ id: 1 }),
      ],
    });
    const keys = pendingApprovals(state).map(questionKey);
    expect(untold(state, new Set(keys.slice(0, 1))).map(({ row }) => row.id)).toEqual([2, 4]);
    expect(untold(state, new Set(keys))).toEqual([]);
  });
});

describe('a question', () => {
  const asked = approvalRow({ id: 1, commit: 'c1' });

  it('is told apart from the one of another folder with its number', () => {
    const other = approvalRow({ id: 1, commit: 'c1', job_id: 'another' });
    expect(untold(stateOf({ approvals: [other] }), new Set([questionKey(asked)])).map(({ row }) => row)).toEqual([
      other,
    ]);
    expect(questionIn(stateOf({ approvals: [other] }), asked)).toBeUndefined();
    expect(questionIn(stateOf({ approvals: [{ ...asked, commit: 'c2' }] }), asked)).toBeUndefined();
  });

  it('is the same when it was answered meanwhile', () => {
    const answered = approvalRow({ id: 1, commit: 'c1', status: 'approved' });
    expect(questionIn(stateOf({ approvals: [answered] }), asked)).toBe(answered);
  });

  it('keeps the remarks on what it was before its commit moved', () => {
    const before = approvalRow({ id: 1, status: 'void' });
    const now = approvalRow({ id: 2 });
    expect(takesRemarksOf(now, now)).toBe(true);
    expect(takesRemarksOf(now, before)).toBe(true);
    expect(takesRemarksOf(now, { ...before, status: 'approved' })).toBe(false);
    expect(takesRemarksOf(now, { ...before, job_id: 'another' })).toBe(false);
    expect(takesRemarksOf(now, { ...before, phase_id: 9 })).toBe(false);
    expect(takesRemarksOf(now, { ...before, kind: 'conflict' })).toBe(false);
  });
});

describe('the choices of a question', () => {
  it('begin with how the brief wants it merged', () => {
    const state = stateOf({ jobs: [jobRow({ options: jobOptions({ mergeMode: 'patch' }) })] });
    const choices = ['merge', 'branch', 'patch'];
    expect(orderedChoices(state, approvalRow({ kind: 'merge', choices }))).toEqual(['patch', 'merge', 'branch']);
    expect(orderedChoices(state, approvalRow({ kind: 'conflict', choices }))).toEqual(choices);
    expect(orderedChoices(state, approvalRow({ kind: 'merge', choices: [] }))).toEqual([]);
  });
});

describe('the line of a detail that says most', () => {
  it('is the totals of a change, or else the first line', () => {
    const stat = ' README.md | 52 +++-\n 2 files changed, 51 insertions(+), 1 deletion(-)\n create mode 100644 a.js\n';
    expect(glance(stat)).toBe('2 files changed, 51 insertions(+), 1 deletion(-)');
    expect(glance('\nThe command prints CSV today.\nMore.')).toBe('The command prints CSV today.');
    expect(glance(`The phase is done.\n\nChanges:\n${stat}`)).toBe('The phase is done.');
    expect(glance('')).toBe('');
  });
});

describe('the review', () => {
  const state = stateOf({ jobs: [jobRow({ baseline: 'b0' })], phases: [phaseRow({ id: 1, base_commit: 'p1' })] });

  it('is of exactly the commit that the answer binds to', () => {
    const merge = approvalRow({ kind: 'merge', commit: 'c', phase_id: null });
    expect(reviewRange(state, merge)).toMatchObject({ from: 'b0', to: 'c' });
    expect(reviewRange(state, { ...merge, kind: 'phase', phase_id: 1 })).toMatchObject({ from: 'p1', to: 'c' });
    expect(reviewRange(state, { ...merge, commit: null })).toBeNull();
    expect(reviewRange(state, { ...merge, job_id: 'gone' })).toBeNull();
  });

  it('begins with what would run', () => {
    expect(reviewOrder(['z', 'b', '.husky/x', 'a'], ['z', '.husky/x'])).toEqual(['.husky/x', 'z', 'a', 'b']);
  });
});

describe("a rejection's feedback", () => {
  it('is what was said, then each remark at its place', () => {
    const remarks = [
      { path: 'src/a.ts', line: 3, text: 'off by one\nsee above' },
      { path: 'b', line: null, text: ' why? ' },
      { path: 'c', line: 1, text: '  ' },
    ];
    expect(rejectionFeedback(' No. ', remarks)).toBe('No.\n\n- src/a.ts:3: off by one\n  see above\n- b: why?');
    expect(rejectionFeedback('', remarks.slice(2))).toBe('');
  });
});
