import { describe, expect, it } from 'vitest';
import { type PanelMaker, panelMaker } from '../../../../src/core/workspace/panel.ts';
import { type CostLine, NO_LOOK, type PanelView } from '../../../../src/shared/workspace/panel.ts';
import { applyChanges, type Change, type State } from '../../../../src/shared/workspace/state.ts';
import {
  approvalRow,
  attemptRow,
  featureRow,
  JOB_ID,
  jobRow,
  noteRow,
  phaseRow,
  projectRow,
  spendRow,
  stateOf,
} from '../../../support/state/builders.ts';

const TODAY = '2026-11-02';
const FRAME = { banner: null, mode: 'owner' } as const;
const LOOK = { ...NO_LOOK, featureId: 2, costs: true };

function start(): State {
  return stateOf({
    jobs: [jobRow()],
    phases: [phaseRow()],
    features: [1, 2, 3].map((id) => featureRow({ id, position: id })),
    attempts: [attemptRow({ id: 1, feature_id: 1 })],
    notes: [noteRow({ id: 1, feature_id: 1 })],
    spends: [spendRow({ id: 1, feature_id: 1 }), spendRow({ id: 2, feature_id: 2, status: 'reserved' })],
  });
}

/** A line whose calls are all gone and come again goes to the end of its table. */
function inOrder(view: PanelView): unknown {
  const { tables } = view.costs;
  if (tables === null) return view;
  const sorted = Object.entries(tables).map(([name, lines]) => [
    name,
    name.startsWith('by') ? (lines as readonly CostLine[]).toSorted((a, b) => a.key.localeCompare(b.key)) : lines,
  ]);
  return { ...view, costs: { ...view.costs, tables: Object.fromEntries(sorted) } };
}

function expectFresh(maker: PanelMaker, state: State): void {
  const shown = maker.view(state, TODAY, FRAME, LOOK, 0);
  expect(inOrder(shown)).toEqual(inOrder(panelMaker().view(state, TODAY, FRAME, LOOK, 0)));
}

let seq = 0;

function commit(state: State, ...changes: readonly Change[]): void {
  seq++;
  applyChanges(state, [...changes, { table: 'meta', put: { ...state.meta, last_seq: seq } }]);
}

/** Each is an event's worth of changes that a card, a job or the costs show. */
const CHANGES: Readonly<Record<string, Change>> = {
  'a call settled': { table: 'spends', put: spendRow({ id: 2, feature_id: 2, settled_micro_usd: 77 }) },
  'a call of another day': { table: 'spends', put: spendRow({ id: 3, day: '2026-11-01', provider: 'anthropic' }) },
  'a call released': { table: 'spends', put: spendRow({ id: 1, feature_id: 1, status: 'released' }) },
  'a call that is gone': { table: 'spends', drop: 1 },
  'an attempt ended': { table: 'attempts', put: attemptRow({ id: 1, feature_id: 1, status: 'failed' }) },
  'an attempt begun': {
    table: 'attempts',
    put: attemptRow({ id: 2, feature_id: 2, started_at: '2026-11-02T13:00:00Z' }),
  },
  'a to-do list': {
    table: 'attempts',
    put: attemptRow({ id: 1, feature_id: 1, todo: [{ text: 'Test it', state: 'in_progress' }] }),
  },
  'a note resolved': { table: 'notes', put: noteRow({ id: 1, feature_id: 1, superseded_by: 0 }) },
  'a note more': { table: 'notes', put: noteRow({ id: 2, feature_id: 3 }) },
  'a question': { table: 'approvals', put: approvalRow({ id: 9, feature_id: 3, kind: 'stuck' }) },
  'another status': { table: 'features', put: featureRow({ id: 2, position: 2, status: 'completed' }) },
  'another place': { table: 'features', put: featureRow({ id: 3, position: 0 }) },
  'a feature that waits for another': { table: 'features', put: featureRow({ id: 3, position: 3, depends_on: [1] }) },
  'a feature that is gone': { table: 'features', drop: 1 },
  'a feature more': { table: 'features', put: featureRow({ id: 4, position: 4 }) },
  'a phase renamed': { table: 'phases', put: phaseRow({ title: 'Other' }) },
  'a job that is over': { table: 'jobs', put: jobRow({ status: 'failed' }) },
};

describe('a maker that follows a state', () => {
  it.each(Object.entries(CHANGES))('shows after %s what a fresh one shows', (_, change) => {
    const state = start();
    const maker = panelMaker();
    maker.view(state, TODAY, FRAME, LOOK, 0);
    commit(state, change);
    expectFresh(maker, state);
  });

  it('shows the same after all of them in a row, and with a ledger taken in by pieces', () => {
    const state = start();
    const maker = panelMaker();
    const changes = Object.values(CHANGES);
    for (let round = 0; round < 200; round++) {
      for (const step of [5, 7, 11]) commit(state, changes[(round * step) % changes.length] as Change);
      if (round % 3 === 0)
        for (const _ of maker.catchUp(state)) commit(state, changes[round % changes.length] as Change);
      if (round % 2 === 0) maker.view(state, TODAY, FRAME, LOOK, 0);
    }
    expectFresh(maker, state);
  });

  it('keeps the cards that did not change as the same objects', () => {
    const state = start();
    const maker = panelMaker();
    const before = maker.view(state, TODAY, FRAME, LOOK, 0).cards;
    commit(state, { table: 'spends', put: spendRow({ id: 4, feature_id: 2 }) });
    const after = maker.view(state, TODAY, FRAME, LOOK, 0).cards;
    expect(after.map((card, at) => card === before[at])).toEqual([true, false, true]);
  });

  it('begins anew with another state', () => {
    const maker = panelMaker();
    maker.view(start(), TODAY, FRAME, LOOK, 0);
    const other = stateOf({ jobs: [jobRow()], phases: [phaseRow()], features: [featureRow({ id: 8 })] });
    expectFresh(maker, other);
  });

  it('takes a large ledger in by pieces', () => {
    const spends = Array.from({ length: 9_000 }, (_, index) => spendRow({ id: index + 1 }));
    const state = stateOf({ jobs: [jobRow()], spends });
    const maker = panelMaker();
    expect([...maker.catchUp(state)].length).toBe(4);
    expect([...maker.catchUp(state)]).toEqual([]);
    expect(maker.view(state, TODAY, FRAME, LOOK, 0).costs.total.calls).toBe(9_000);
  });

  it('gives the dearest lines of a long cost table, and the rest as one', () => {
    const spends = Array.from({ length: 600 }, (_, index) =>
      spendRow({ id: index + 1, feature_id: index + 1, settled_micro_usd: 1 + ((index * 7) % 600) }),
    );
    const { total, tables } = panelMaker().view(stateOf({ spends }), TODAY, FRAME, LOOK, 0).costs;
    const lines = tables?.byFeature ?? [];
    expect(lines.length).toBe(501);
    expect(lines[0]?.settledUsd).toBe(600e-6);
    expect(lines.at(-1)).toMatchObject({ label: '100 others', calls: 100 });
    expect(lines.reduce((sum, line) => sum + line.settledUsd, 0)).toBeCloseTo(total.settledUsd, 9);
  });
});

describe('what the owner does not work on', () => {
  const rows = { jobs: [jobRow({ project_id: 'api' })], projects: [projectRow({ id: 'api' })] };
  const shown = (jobs: readonly string[]) => {
    const view = panelMaker().view(
      stateOf(rows),
      TODAY,
      { ...FRAME, atWork: { works: true, jobs, turns: [] } },
      NO_LOOK,
      0,
    );
    return [view.jobs[0]?.still === true, view.projects[0]?.doing];
  };

  it('is not shown as running', () => {
    expect(shown([JOB_ID])).toEqual([false, 'working']);
    expect(shown([])).toEqual([true, 'stopped']);
  });
});
