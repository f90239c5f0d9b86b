import { describe, expect, it } from 'vitest';
import { earlierFeatureReview, earlierReview, phaseRecord } from '../../../../../src/core/job/history/phaseRecord.ts';
import type { AttemptRow } from '../../../../../src/shared/job/rows.ts';
import {
  attemptRow,
  featureRow,
  jobRow,
  noteRow,
  phaseRow,
  stateOf,
  verdict,
} from '../../../../support/state/builders.ts';

const phase = phaseRow({ id: 2, number: 2, title: 'Second' });
const first = phaseRow({ id: 1, number: 1, title: 'First', status: 'completed', summary: 'A parser exists.' });
const done = featureRow({ id: 1, phase_id: 2, position: 0, name: 'done', status: 'completed', commit: 'c2' });
const failed = featureRow({ id: 2, phase_id: 2, position: 1, name: 'failed', status: 'failed', category: 'ui' });

const tried = (id: number, patch: Partial<AttemptRow>): AttemptRow =>
  attemptRow({ id, phase_id: 2, number: id, status: 'failed', ...patch });

const attempts = [
  tried(1, { feature_id: 1, cause: 'verify_failed', summary: 'First try.' }),
  tried(2, { feature_id: 1, status: 'succeeded', cause: 'done', summary: ' It is done. ', commit: 'c2' }),
  // Of another agent, whose result was not picked.
  tried(3, { feature_id: 1, status: 'succeeded', cause: 'done', summary: 'Mine is better.', commit: 'c3' }),
  tried(4, { feature_id: 2, cause: 'verify_failed', summary: 'Half of it.' }),
  tried(5, { feature_id: 2, cause: 'turns', summary: null }),
];

const recordOf = (more: Parameters<typeof stateOf>[0] = {}, only: typeof done | null = null) =>
  phaseRecord(stateOf({ phases: [first, phase], features: [done, failed], attempts, ...more }), jobRow(), phase, only);

describe('what is known of a phase', () => {
  it('has the report of the attempt that counts of each feature, with how it ended', () => {
    expect(recordOf().reports).toEqual([
      { feature: 'done', attempt: 2, ended: 'succeeded', text: 'It is done.' },
      { feature: 'failed', attempt: 4, ended: 'failed (verify_failed)', text: 'Half of it.' },
    ]);
  });

  it('states that an attempt was returned by the merge, because its worker merged by hand', () => {
    const at = '2026-11-02T12:00:00.000Z';
    const returns = [
      { cause: 'conflict', onto: 'c1', paths: ['a.md', 'b.md'], detail: '', at },
      { cause: 'verify_failed', onto: 'c1', paths: [], detail: '', at },
    ] as const;
    const rows = [tried(2, { feature_id: 1, status: 'succeeded', summary: 'Done.', commit: 'c2', returns })];
    const lost = [
      tried(4, { feature_id: 2, status: 'failed', cause: 'gave_up', summary: 'No.', returns: [returns[1]] }),
    ];
    expect(recordOf({ attempts: lost }).reports[0]?.ended).toBe(
      'failed (gave_up), returned once by the merge (fails after the merge)',
    );
    expect(recordOf({ attempts: rows }).reports[0]?.ended).toBe(
      'succeeded, returned twice by the merge (conflict in a.md and 1 other file; fails after the merge) and then made to fit by its worker',
    );
  });

  it('has the accepted reports of a reopened feature too, as the last one may be of a fix alone', () => {
    const rows = [
      tried(1, { feature_id: 1, status: 'succeeded', cause: 'done', summary: 'Built.', commit: 'c1' }),
      tried(2, { feature_id: 1, status: 'succeeded', cause: 'done', summary: 'Not picked.', commit: 'c9' }),
      tried(3, { feature_id: null, base_commit: 'c1', status: 'failed', summary: 'A case is missing.' }),
      tried(4, {
        feature_id: 1,
        base_commit: 'c1',
        status: 'succeeded',
        cause: 'done',
        summary: 'Case.',
        commit: 'c2',
      }),
    ];
    expect(recordOf({ attempts: rows }).reports.map(({ attempt, text }) => `${attempt} ${text}`)).toEqual([
      '1 Built.',
      '4 Case.',
    ]);
  });

  it('has the phases before, and the notes of its features, of their categories and for all', () => {
    const notes = [
      noteRow({ id: 1, feature_id: 1 }),
      noteRow({ id: 2, feature_id: 2 }),
      noteRow({ id: 3, category: 'ui' }),
      noteRow({ id: 4 }),
      noteRow({ id: 5, feature_id: 99 }),
      noteRow({ id: 6, category: 'other' }),
      noteRow({ id: 7, superseded_by: 4 }),
    ];
    const record = recordOf({ notes });
    expect(record.notes.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4]);
    expect(record.earlier.map(({ summary }) => summary)).toEqual(['A parser exists.']);
  });

  it('is of one feature alone where that is judged', () => {
    const record = recordOf({ notes: [noteRow({ id: 1, feature_id: 1 }), noteRow({ id: 2, feature_id: 2 })] }, done);
    expect(record.notes.map(({ id }) => id)).toEqual([1]);
    expect(record.reports).toEqual([]);
  });

  it('is bounded: many long reports are all there, each cut', () => {
    const features = Array.from({ length: 40 }, (_, nth) => featureRow({ id: nth + 1, phase_id: 2, position: nth }));
    const long = features.map(({ id }) => tried(id, { feature_id: id, summary: 'x'.repeat(9_000) }));
    const { reports } = recordOf({ features, attempts: long });
    expect(reports).toHaveLength(40);
    expect(reports[0]?.text).toMatch(/^x{400} \[… 8600 characters of the report left out\]$/);
  });
});

describe('the review before', () => {
  const review = (id: number, patch: Partial<AttemptRow>): AttemptRow =>
    attemptRow({ id, phase_id: 2, feature_id: null, base_commit: `c${id}`, ...patch });

  it('is the last one of the phase that has a verdict, with the commit that it judged', () => {
    const rejected = verdict({ verdict: 'REJECTED', feedback: 'Do it.' });
    const rows = [review(1, { verdict: verdict() }), review(2, { verdict: rejected }), review(3, { verdict: null })];
    expect(earlierReview(stateOf({ attempts: rows }), phase)).toEqual({ commit: 'c2', verdict: rejected });
    expect(earlierReview(stateOf({ attempts: rows.slice(2) }), phase)).toBeNull();
  });

  it('of a feature is the last attempt that its reviewer rejected', () => {
    const rows = [
      tried(1, { feature_id: 1, cause: 'review_rejected', feedback: 'Say two.', commit: 'c1' }),
      tried(2, { feature_id: 1, cause: 'same_verdict', feedback: 'Say two.', commit: 'c2' }),
      tried(3, { feature_id: 1, cause: 'verify_failed', feedback: 'exit code 1', commit: 'c3' }),
    ];
    expect(earlierFeatureReview(stateOf({ attempts: rows }), done)).toMatchObject({
      commit: 'c2',
      verdict: { verdict: 'REJECTED', feedback: 'Say two.' },
    });
    expect(earlierFeatureReview(stateOf({ attempts: rows.slice(2) }), done)).toBeNull();
  });
});
