import { describe, expect, it } from 'vitest';
import { type PanelMaker, panelMaker } from '../../../../src/core/workspace/panel.ts';
import type { ApprovalKind } from '../../../../src/shared/approval.ts';
import { NO_LOOK } from '../../../../src/shared/workspace/panel.ts';
import { emptyState } from '../../../../src/shared/workspace/state.ts';
import { promptEvidence } from '../../../support/session/promptRows.ts';
import { approvalRow, JOB_ID, jobOptions, jobRow, planOf, stateOf } from '../../../support/state/builders.ts';
import { acceptedJob, attemptBegun, attemptEnded, phaseStarted } from '../../../support/state/fold.ts';

const FRAME = { banner: null, mode: 'owner' } as const;
const TODAY = '2026-11-02';
type Of = Parameters<PanelMaker['view']>;
const panel = (state: Of[0], today: Of[1], frame: Of[2], look: Of[3]) =>
  panelMaker().view(state, today, frame, look, 0);
const ELSEWHERE = NO_LOOK;

const question = (id: number, patch: { feature_id?: number; commit?: string; kind?: ApprovalKind }) =>
  ({
    type: 'approval_requested',
    approval: {
      id,
      job_id: JOB_ID,
      kind: patch.kind ?? (patch.commit === undefined ? 'stuck' : 'merge'),
      subject: `s${id}`,
      question: 'Which?',
      detail: '',
      phase_id: null,
      feature_id: patch.feature_id ?? null,
      commit: patch.commit ?? null,
      executables: [],
      choices: [],
    },
  }) as const;

describe('the panel', () => {
  it('shows that no setup command installs the dependencies, until one is added', () => {
    const shown = (patch: object) => panel(stateOf({ jobs: [jobRow(patch)] }), TODAY, FRAME, ELSEWHERE).jobs[0];
    const setup_gap = { manifest: 'package.json', command: 'npm install' };
    expect(shown({ setup_gap })?.setupGap).toEqual(setup_gap);
    expect(shown({ setup_gap, setup_added: ['npm install'] })).not.toHaveProperty('setupGap');
    expect(shown({})).not.toHaveProperty('setupGap');
  });

  it('shows which files were removed again after the setup', () => {
    const shown = (patch: object) => panel(stateOf({ jobs: [jobRow(patch)] }), TODAY, FRAME, ELSEWHERE).jobs[0];
    const setup_removed = { paths: ['node_modules/'], more: 2 };
    expect(shown({ setup_removed })?.setupRemoved).toEqual(setup_removed);
    expect(shown({})).not.toHaveProperty('setupRemoved');
  });

  it('shows which verify commands failed before any work, and what is missing', () => {
    const checks = [
      { ...promptEvidence, command: 'ls' },
      { ...promptEvidence, command: 'npm test', exitCode: 127, tail: 'sh: 1: tap: not found' },
    ];
    const [job] = panel(stateOf({ jobs: [jobRow({ baseline_checks: checks })] }), TODAY, FRAME, ELSEWHERE).jobs;
    const missing = 'sh: 1: tap: not found';
    expect(job?.failedBefore).toEqual([{ command: 'npm test', exitCode: 127, ended: null, missing }]);
    expect(panel(stateOf({ jobs: [jobRow()] }), TODAY, FRAME, ELSEWHERE).jobs[0]).not.toHaveProperty('failedBefore');
  });

  it('of nothing is empty, and says how the window is connected', () => {
    const view = panel(emptyState(), TODAY, { banner: null, mode: 'none' }, { ...NO_LOOK, featureId: 1, costs: true });
    expect(view).toMatchObject({ mode: 'none', approvals: [], jobs: [], cards: [], details: null });
    expect(view.costs).toMatchObject({ day: TODAY, todayUsd: 0, tables: { series: { roles: [], points: [] } } });
  });

  it('has a card for each feature, with its attempts and its question', () => {
    const fold = acceptedJob(planOf({ Core: ['a', 'b'] }));
    fold.commit(
      phaseStarted(1),
      ...attemptBegun(1, 1),
      attemptEnded({ id: 1, status: 'failed', cause: 'verify_failed' }),
    );
    fold.commit(...attemptBegun(2, 1), question(5, { feature_id: 2 }));
    const [a, b] = panel(fold.state, TODAY, FRAME, ELSEWHERE).cards;
    expect(a).toMatchObject({ name: 'a', lane: 'in_progress', retries: 1, phaseTitle: 'Core', attempts: 2 });
    const { details } = panel(fold.state, TODAY, FRAME, { ...NO_LOOK, featureId: 1 });
    expect(details).toMatchObject({ featureId: 1, reviews: [], notes: [] });
    expect(details?.attempts.map(({ number, status, cause }) => [number, status, cause])).toEqual([
      [1, 'failed', 'verify_failed'],
      [2, 'running', null],
    ]);
    expect(a?.startedAt).toBe(details?.attempts[1]?.startedAt);
    expect(details?.sessions.map(({ id }) => id)).toEqual(details?.attempts.map(({ sessionId }) => sessionId));
    expect(b).toMatchObject({ lane: 'needs_you', approvalId: 5 });
  });

  it('offers a review only for what has a commit', () => {
    const fold = acceptedJob(planOf({ Core: ['a'] }));
    fold.commit(question(5, { feature_id: 1 }), question(6, { commit: 'abc', kind: 'conflict' }));
    const { approvals } = panel(fold.state, TODAY, FRAME, ELSEWHERE);
    expect(approvals.map(({ id, reviewable, refusal }) => [id, reviewable, refusal])).toEqual([
      [5, false, 'fails'],
      [6, true, 'pauses'],
    ]);
  });

  it('names first how the brief wants its result merged, oldest question first', () => {
    const choices = ['merge', 'branch', 'patch'];
    const state = stateOf({
      jobs: [jobRow({ options: jobOptions({ mergeMode: 'branch' }) })],
      approvals: [approvalRow({ id: 2, kind: 'merge', choices }), approvalRow({ id: 1, kind: 'conflict', choices })],
    });
    expect(panel(state, TODAY, FRAME, ELSEWHERE).approvals.map((row) => [row.id, ...row.choices])).toEqual([
      [1, 'merge', 'branch', 'patch'],
      [2, 'branch', 'merge', 'patch'],
    ]);
  });

  it('survives the way to the page: it is plain JSON', () => {
    const fold = acceptedJob(planOf({ Core: ['a'] }));
    const view = panel(fold.state, TODAY, FRAME, { ...NO_LOOK, featureId: 1, costs: true });
    expect(view.details).not.toBeNull();
    expect(JSON.parse(JSON.stringify(view))).toEqual(view);
  });
});
