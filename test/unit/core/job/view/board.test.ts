import { describe, expect, it } from 'vitest';
import { board, kanbanStats, LANES } from '../../../../../src/core/job/view/board.ts';
import {
  approvalRow,
  attemptRow,
  featureRow,
  jobRow,
  noteRow,
  phaseRow,
  spendRow,
  stateOf,
} from '../../../../support/state/builders.ts';

const jobs = [jobRow()];
const phases = [phaseRow()];

describe('the counts of the board', () => {
  it('are those of seed 003, in all and by category, which come in order', () => {
    const features = [
      featureRow({ id: 1, category: 'web', status: 'completed' }),
      featureRow({ id: 2, category: 'auth', status: 'failed' }),
      featureRow({ id: 3, category: 'web' }),
      featureRow({ id: 4, category: '__proto__', status: 'in_progress' }),
    ];
    const none = { pending: 0, in_progress: 0, completed: 0, failed: 0 };
    expect(kanbanStats(features)).toEqual({
      pending: 1,
      in_progress: 1,
      completed: 1,
      failed: 1,
      byCategory: [
        { category: '__proto__', ...none, in_progress: 1 },
        { category: 'auth', ...none, failed: 1 },
        { category: 'web', ...none, pending: 1, completed: 1 },
      ],
    });
  });
});

describe('a card', () => {
  it('lies in the lane of its status, or in needs_you while something is asked about it', () => {
    const features = [
      featureRow({ id: 1 }),
      featureRow({ id: 2, status: 'in_progress' }),
      featureRow({ id: 3, status: 'completed' }),
      featureRow({ id: 4, status: 'failed' }),
      featureRow({ id: 5 }),
    ];
    const approvals = [
      approvalRow({ id: 9, feature_id: 5, kind: 'stuck' }),
      approvalRow({ id: 8, feature_id: 5, kind: 'stuck' }),
      approvalRow({ id: 7, feature_id: 1, kind: 'stuck', status: 'approved' }),
      approvalRow({ id: 6, feature_id: null }),
    ];
    const cards = board(stateOf({ jobs, phases, features, approvals })).features;
    expect(cards.map((card) => [card.id, card.lane, card.approval])).toEqual([
      [1, 'pending', null],
      [2, 'in_progress', null],
      [3, 'completed', null],
      [4, 'failed', null],
      [5, 'needs_you', 8],
    ]);
    for (const card of cards) expect(LANES).toContain(card.lane);
    expect(LANES).toEqual(['pending', 'in_progress', 'needs_you', 'completed', 'failed']);
  });

  it('says why it is held while its job goes on', () => {
    const features = [featureRow({ id: 1, name: 'a', status: 'failed' }), featureRow({ id: 2, depends_on: [1] })];
    const held = (status: 'running' | 'completed' | 'failed' | 'cancelled') =>
      board(stateOf({ jobs: [jobRow({ status })], phases, features })).features[1]?.held;
    expect(held('running')).toBe('depends on "a", which failed');
    for (const status of ['completed', 'failed', 'cancelled'] as const) expect(held(status)).toBeNull();
  });

  it('sums up its attempts, its notes that still hold, and its money', () => {
    const attempts = [attemptRow({ id: 1 }), attemptRow({ id: 2 }), attemptRow({ id: 3, feature_id: null })];
    const notes = [
      noteRow({ id: 1, feature_id: 1 }),
      noteRow({ id: 2, feature_id: 1, superseded_by: 1 }),
      noteRow({ id: 3, feature_id: 1, superseded_by: 0 }),
      noteRow({ id: 4, category: 'core' }),
    ];
    const spends = [
      spendRow({ id: 1, settled_micro_usd: 250_000 }),
      spendRow({ id: 2, status: 'unsettled', reserved_micro_usd: 100_000 }),
      spendRow({ id: 3, status: 'released', reserved_micro_usd: 900_000 }),
      spendRow({ id: 4, feature_id: 2 }),
      spendRow({ id: 5, status: 'reserved', reserved_micro_usd: 330_000 }),
    ];
    const [card] = board(stateOf({ jobs, phases, features: [featureRow()], attempts, notes, spends })).features;
    expect(card).toMatchObject({ attempts: 2, notes: 1, phase: { id: 1, number: 1, title: 'Core' } });
    expect(card).toMatchObject({ costUsd: 0.25, reservedUsd: 0.33, unsettledUsd: 0.1 });
  });
});

describe('the order of the cards', () => {
  it('is that of the work: no job first, then jobs as they came, phases, positions', () => {
    const state = stateOf({
      jobs: [jobRow({ id: 'z-first' }), jobRow({ id: 'a-second' })],
      phases: [
        phaseRow({ id: 1, job_id: 'a-second', number: 1 }),
        phaseRow({ id: 2, job_id: 'z-first', number: 2 }),
        phaseRow({ id: 3, job_id: 'z-first', number: 1 }),
      ],
      features: [
        featureRow({ id: 1, job_id: 'a-second', phase_id: 1 }),
        featureRow({ id: 2, job_id: 'z-first', phase_id: 2 }),
        featureRow({ id: 3, job_id: 'z-first', phase_id: 3, position: 1 }),
        featureRow({ id: 5, job_id: 'z-first', phase_id: 3, position: 0 }),
        featureRow({ id: 4, job_id: 'z-first', phase_id: 3, position: 0 }),
        featureRow({ id: 6, job_id: null, phase_id: null, position: 3 }),
      ],
    });
    expect(board(state).features.map((card) => card.id)).toEqual([6, 4, 5, 3, 2, 1]);
    expect(board(state, 'a-second').features.map((card) => card.id)).toEqual([1]);
    expect(board(state, 'a-second').stats.pending).toBe(1);
    expect(board(state, 'no-such-job').features).toEqual([]);
  });
});
