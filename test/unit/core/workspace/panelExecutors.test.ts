import { describe, expect, it } from 'vitest';
import { panelMaker } from '../../../../src/core/workspace/panel.ts';
import { NO_LOOK, type PanelView } from '../../../../src/shared/workspace/panel.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';
import {
  approvalRow,
  attemptRow,
  featureRow,
  jobOptions,
  jobRow,
  phaseRow,
  START_MS,
  sessionRow,
  spendRow,
  stateOf,
} from '../../../support/state/builders.ts';

const FRAME = { banner: null, mode: 'owner' } as const;
const later = (seconds: number): string => new Date(START_MS + seconds * 1000).toISOString();
const look = (state: State, featureId: number | null = null): PanelView =>
  panelMaker().view(state, '2026-11-02', FRAME, { ...NO_LOOK, featureId, costs: featureId !== null }, 0);
const named = (state: State) => look(state).cards.map(({ id, executors, tried }) => [id, executors.join(), tried]);

const BASE = {
  jobs: [jobRow({ options: jobOptions({ executors: { worker: 'cline' } }) })],
  phases: [phaseRow()],
};
const SIDE = ['claude', 'builtin', 'codex'];
const SESSIONS = ['claude', 'builtin', 'codex'].map((executor, at) => sessionRow({ id: at + 1, executor }));
const ATTEMPTS = [1, 2, 3].map((id) =>
  attemptRow({ id, number: id, session_id: id, status: id === 2 ? 'failed' : 'succeeded', started_at: later(id) }),
);

describe('whom a card names', () => {
  it('is who works on it next, as its job says or as was chosen for it', () => {
    const features = [
      featureRow({ id: 1 }),
      featureRow({ id: 2, position: 1, executors: ['builtin'] }),
      featureRow({ id: 3, position: 2, executors: ['codex'] }),
      featureRow({ id: 4, position: 3, executors: SIDE, candidates: [7] }),
    ];
    expect(named(stateOf({ ...BASE, features }))).toEqual([
      [1, 'cline', 0],
      [2, '', 0],
      [3, 'codex', 0],
      [4, 'claude,builtin,codex', 1],
    ]);
  });

  it('is who works on it now, whatever is chosen meanwhile, and afterwards who did it', () => {
    const features = [
      featureRow({ id: 1, status: 'in_progress', executors: ['codex'] }),
      featureRow({ id: 2, position: 1, status: 'completed' }),
      featureRow({ id: 3, position: 2, status: 'failed' }),
    ];
    const attempts = [
      attemptRow({ id: 1, session_id: 1 }),
      attemptRow({ id: 2, feature_id: 2, session_id: 2, status: 'succeeded' }),
    ];
    expect(named(stateOf({ ...BASE, features, attempts, sessions: SESSIONS }))).toEqual([
      [1, 'claude', 0],
      [2, '', 0],
      [3, '', 0],
    ]);
  });

  it('is whose result was picked, until it is tried again', () => {
    const completed = featureRow({ status: 'completed', executors: SIDE });
    const asked = approvalRow({ kind: 'pick', feature_id: 1, choices: ['1', '3'], requested_at: later(9) });
    const of = (patch: Partial<typeof asked>, attempts = ATTEMPTS) =>
      named(
        stateOf({
          ...BASE,
          features: [completed],
          attempts,
          sessions: SESSIONS,
          approvals: [{ ...asked, status: 'approved', ...patch }],
        }),
      )[0]?.[1];
    expect(of({ choice: '1' })).toBe('claude');
    expect(of({ choice: '3' })).toBe('codex');
    expect(of({ status: 'void' })).toBe('codex');
    const again = attemptRow({ id: 4, session_id: 2, status: 'succeeded', started_at: later(20) });
    expect(of({ choice: '1' }, [...ATTEMPTS, again])).toBe('');
  });

  it('does not change a card that nothing changed of', () => {
    const state = stateOf({ ...BASE, features: [featureRow({ executors: SIDE })] });
    const maker = panelMaker();
    const view = () => maker.view(state, '2026-11-02', FRAME, NO_LOOK, 0).cards[0];
    const first = view();
    state.meta = { ...state.meta };
    expect(view()).toBe(first);
  });
});

it('the details say who did what, how much it changed and what it used', () => {
  const feature = featureRow({ executors: SIDE, candidates: [1, 2, 3] });
  const attempts = ATTEMPTS.map((row) => ({ ...row, changed: { files: row.id, added: 5, removed: 2 } }));
  const state = stateOf({
    ...BASE,
    features: [feature],
    attempts,
    sessions: SESSIONS,
    approvals: [approvalRow({ kind: 'pick', feature_id: 1, status: 'approved', choice: '3', choices: ['1', '3'] })],
    spends: [
      spendRow({ attempt_id: 1, input_tokens: 100, output_tokens: 20 }),
      spendRow({ id: 2, session_id: 3, attempt_id: 3, provider: 'own-account', settled_micro_usd: 0 }),
    ],
  });
  const { details, costs } = look(state, 1);
  expect(details).toMatchObject({ executors: SIDE, candidates: [1, 2, 3], picked: 3 });
  expect(
    details?.attempts.map(({ executor, changed, tokens, unpriced }) => [executor, changed?.files, tokens, unpriced]),
  ).toEqual([
    ['claude', 1, 120, false],
    ['builtin', 2, 0, false],
    ['codex', 3, 2, true],
  ]);
  expect(details?.sessions.map(({ executor }) => executor)).toEqual(SIDE);
  expect(costs.tables?.sessions.map(({ executor }) => executor)).toEqual(SIDE.toReversed());
  expect(costs.tables?.executors.map(({ executor }) => executor)).toEqual(['builtin', 'claude', 'codex']);
});
