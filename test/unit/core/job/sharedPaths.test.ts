/** Paths that a plan names for its features: which are the same place, and how they delay a start. */
import { describe, expect, it } from 'vitest';
import { NOTHING_RUNS } from '../../../../src/core/job/action.ts';
import { nextActions } from '../../../../src/core/job/nextAction.ts';
import { sharedPath } from '../../../../src/core/job/sharedPaths.ts';
import { board } from '../../../../src/core/job/view/board.ts';
import type { FeatureRow } from '../../../../src/shared/job/rows.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';
import {
  approvalRow,
  attemptRow,
  featureRow,
  JOB_ID,
  jobOptions,
  jobRow,
  phaseRow,
  stateOf,
} from '../../../support/state/builders.ts';

describe('paths', () => {
  const shared = (a: string, b: string): boolean => sharedPath({ paths: [a] }, { paths: [b] }) !== null;

  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['src/', 'src/a.ts'],
    ['./src/a.ts', 'src'],
    ['src/**/*.ts', 'src/deep/a.ts'],
    ['src\\a.ts', 'src/a.ts'],
    ['.', 'docs/x.md'],
  ])('%s and %s are in one place', (a, b) => {
    expect([shared(a, b), shared(b, a)]).toEqual([true, true]);
  });

  it.each([
    ['src/a.ts', 'src/b.ts'],
    ['src', 'srcs/a.ts'],
    ['test/*.ts', 'src'],
  ])('%s and %s are not', (a, b) => {
    expect([shared(a, b), shared(b, a)]).toEqual([false, false]);
  });

  it('share nothing without a name', () => {
    expect(sharedPath({ paths: [] }, { paths: ['src'] })).toBeNull();
    expect(sharedPath({ paths: ['docs', 'src/a.ts'] }, { paths: ['src'] })).toBe('src/a.ts');
  });
});

describe('a feature that shares a path', () => {
  const feature = (id: number, path: string, patch: Partial<FeatureRow> = {}): FeatureRow =>
    featureRow({ id, name: `f${id}`, position: id, paths: [path], ...patch });

  /** Features 1 and 2 change `src`, feature 3 changes `docs`. The first attempt of 1 got its answer. */
  function working(lanes: number, more: Parameters<typeof stateOf>[0] = {}): State {
    return stateOf({
      jobs: [jobRow({ options: jobOptions({ lanes, gates: [] }) })],
      phases: [phaseRow({ status: 'executing' })],
      features: [feature(1, 'src/a.ts', { status: 'in_progress' }), feature(2, 'src'), feature(3, 'docs')],
      attempts: [attemptRow({ id: 1, feature_id: 1, number: 2, status: 'running', lane: 0 })],
      ...more,
    });
  }
  const busy = { ...NOTHING_RUNS, lanes: new Set([0]), features: new Set([1]) };
  const started = (state: State, running = busy): number[] =>
    nextActions(state, JOB_ID, 0, running).flatMap(({ action }) =>
      action.do === 'attempt' ? [action.feature.id] : [],
    );

  it('waits while work that shares it is in a lane, and the others start', () => {
    const state = working(3);
    expect(started(state)).toEqual([3]);
    const held = board(state).features.map((card) => card.held);
    expect(held).toEqual([null, 'waits for "f1", which probably changes src too', null]);
  });

  it('waits for one of the same round', () => {
    const features = [feature(1, 'lib', { status: 'in_progress' }), feature(2, 'src'), feature(3, 'src/b.ts')];
    expect(started(working(3, { features }))).toEqual([2]);
  });

  it('waits for a lane that is prepared, and for the end of one that settles', () => {
    const features = [
      feature(1, 'lib', { status: 'in_progress' }),
      feature(2, 'src'),
      feature(3, 'src/b.ts'),
      feature(4, 'docs'),
    ];
    const state = working(3, { features });
    expect(started(state, { ...busy, lanes: new Set([0, 1]), features: new Set([1, 2]) })).toEqual([4]);
    const ended = [feature(1, 'lib', { status: 'completed' }), ...features.slice(1)];
    const settling = working(3, { features: ended, attempts: [] });
    expect(started(settling)).toEqual([]);
  });

  it('keeps its turn: none that shares a path with it starts before it', () => {
    const features = [
      feature(1, 'src/a.ts', { status: 'in_progress' }),
      feature(2, 'src'),
      feature(3, 'src/b.ts'),
      feature(4, 'docs'),
    ];
    expect(started(working(4, { features }))).toEqual([4]);
  });

  it('states no wait for a feature of a later phase, which waits for the review', () => {
    const phases = [phaseRow({ status: 'executing' }), phaseRow({ id: 2, number: 2 })];
    const features = [feature(1, 'src', { status: 'in_progress' }), feature(2, 'src', { phase_id: 2 })];
    expect(board(working(3, { phases, features })).features.map(({ held }) => held)).toEqual([null, null]);
  });

  it('starts when that work waits for an answer, because an answer may take all night', () => {
    const approvals = [approvalRow({ id: 1, status: 'pending', kind: 'stuck', feature_id: 1 })];
    expect(started(working(3, { approvals }))).toEqual([2, 3]);
  });

  it('takes the free lane that worked last, because its conversation knows the newest tree', () => {
    const features = [
      feature(1, 'a', { status: 'completed' }),
      feature(2, 'b', { status: 'completed' }),
      feature(3, 'c'),
    ];
    const ended = (id: number, lane: number, minute: number) =>
      attemptRow({ id, feature_id: id, lane, status: 'succeeded', ended_at: `2026-11-02T12:${minute}:00.000Z` });
    const lanesAfter = (first: number, second: number) => {
      const state = working(3, { features, attempts: [ended(1, 0, first), ended(2, 1, second)] });
      return nextActions(state, JOB_ID, 0, NOTHING_RUNS).map(({ lane }) => lane);
    };
    expect([lanesAfter(10, 20), lanesAfter(20, 10)]).toEqual([[1], [0]]);
  });

  it('starts when nothing else works', () => {
    const features = [feature(1, 'src/a.ts', { status: 'completed' }), feature(2, 'src'), feature(3, 'docs')];
    const state = working(3, { features, attempts: [] });
    const [first] = nextActions(state, JOB_ID, 0, NOTHING_RUNS);
    expect(first?.action).toMatchObject({ do: 'attempt', feature: { id: 2 } });
  });
});
