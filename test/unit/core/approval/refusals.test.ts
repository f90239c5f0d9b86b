/** What a no is said to do is what it does. */
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../../src/core/approval/refusals.ts';
import { reduce } from '../../../../src/core/workspace/reduce.ts';
import { APPROVAL_KINDS, type ApprovalRow } from '../../../../src/shared/approval.ts';
import type { FeatureRow } from '../../../../src/shared/job/rows.ts';
import { applyChanges } from '../../../../src/shared/workspace/state.ts';
import {
  approvalRow,
  attemptRow,
  featureRow,
  jobRow,
  phaseRow,
  START,
  stateOf,
} from '../../../support/state/builders.ts';

function asked(kind: 'stuck' | 'crashes', feature: Partial<FeatureRow>, status: 'succeeded' | 'stuck' = 'succeeded') {
  const state = stateOf({
    jobs: [jobRow()],
    phases: [phaseRow()],
    features: [featureRow({ id: 1, ...feature })],
    attempts: [attemptRow({ id: 1, feature_id: 1, status }), attemptRow({ id: 2, feature_id: 1, status: 'stuck' })],
    approvals: [approvalRow({ id: 5, kind, feature_id: 1 })],
  });
  const said = refusalOf(state, state.approvals.get(5) as ApprovalRow);
  const no = {
    type: 'approval_decided',
    id: 5,
    decision: 'rejected',
    choice: null,
    feedback: 'no',
    by: 'steward',
  } as const;
  applyChanges(state, reduce(state, { ...no, seq: 1, epoch: 1, at: START }));
  return { said, status: state.features.get(1)?.status };
}

describe.each(['stuck', 'crashes'] as const)('a no to a question of kind %s', (kind) => {
  it('marks the feature as failed', () => {
    expect(asked(kind, {})).toEqual({ said: 'fails', status: 'failed' });
    expect(asked(kind, { executors: ['cline'] })).toEqual({ said: 'fails', status: 'failed' });
  });

  it("ends one agent's try, if another agent tried the feature or will", () => {
    const several = { executors: ['cline', 'claude', 'codex'], candidates: [] };
    expect(asked(kind, several)).toEqual({ said: 'drops', status: 'pending' });
    expect(asked(kind, { executors: ['cline', 'claude'], candidates: [1] })).toEqual({
      said: 'drops',
      status: 'pending',
    });
  });

  it('marks the feature as failed, if no other agent is left', () => {
    const last = { executors: ['cline', 'claude'], candidates: [1] };
    expect(asked(kind, last, 'stuck')).toEqual({ said: 'fails', status: 'failed' });
  });
});

it('has an effect of its own only for the job that asked', () => {
  for (const kind of APPROVAL_KINDS) expect(refusalOf(stateOf({}), approvalRow({ kind, job_id: null }))).toBeNull();
});
