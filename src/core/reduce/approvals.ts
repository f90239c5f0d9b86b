/** Questions to the steward and their answers. What an answer leads to is decided by `nextAction`, but for what it means to a feature. */
import type { ApprovalRow } from '../../shared/domain.ts';
import { failure } from '../../shared/errors.ts';
import type { EventOf, NewApproval } from '../../shared/events.ts';
import type { Change, State } from '../../shared/state.ts';
import { APPROVAL, step } from '../machines.ts';
import type { Reducer } from '../reduce.ts';
import { jobApprovals, need } from '../rows.ts';
import { moveFeature } from './features.ts';
import { moveJob } from './jobs.ts';

export function newApproval(asked: NewApproval, at: string): ApprovalRow {
  return {
    ...asked,
    status: 'pending',
    choice: null,
    feedback: null,
    decided_by: null,
    requested_at: at,
    decided_at: null,
  };
}

/** A worker's question: the answer is its feedback, a rejection ends the feature. */
function featureChanges(state: State, approval: ApprovalRow, event: EventOf<'approval_decided'>): Change[] {
  if (approval.feature_id === null || (approval.kind !== 'stuck' && approval.kind !== 'crashes')) return [];
  const feature = need(state, 'features', approval.feature_id);
  if (event.decision === 'rejected') {
    const failure_reason = event.feedback ?? 'the steward gave it up';
    return [{ table: 'features', put: moveFeature(feature, 'fail', { failure_reason, completed_at: event.at }) }];
  }
  const answer =
    approval.kind === 'stuck' && event.feedback !== null ? `The steward answers: ${event.feedback}` : feature.feedback;
  return [{ table: 'features', put: { ...feature, feedback: answer, crash_count: 0 } }];
}

/** Nothing is waited for any more: the job works again. */
function jobChanges(state: State, approval: ApprovalRow): Change[] {
  const job = need(state, 'jobs', approval.job_id);
  const open = jobApprovals(state, job.id).some((other) => other.id !== approval.id && other.status === 'pending');
  return job.status === 'awaiting_steward' && !open ? [{ table: 'jobs', put: moveJob(job, 'continue') }] : [];
}

export const approvalReducers = {
  approval_requested: (state, event) => {
    need(state, 'jobs', event.approval.job_id);
    if (state.approvals.has(event.approval.id))
      throw failure('ILLEGAL_TRANSITION', `approval ${event.approval.id} exists already`);
    return [{ table: 'approvals', put: newApproval(event.approval, event.at) }];
  },
  approval_decided: (state, event) => {
    const approval = need(state, 'approvals', event.id);
    const { decision, choice, feedback, by } = event;
    const status = step(`approval ${approval.id}`, APPROVAL, approval.status, decision);
    const put: ApprovalRow = { ...approval, status, choice, feedback, decided_by: by, decided_at: event.at };
    const changes: Change[] = [
      { table: 'approvals', put },
      ...featureChanges(state, approval, event),
      ...jobChanges(state, approval),
    ];
    if (approval.kind === 'setup' && decision === 'approved') {
      const setup_allowed = [...new Set([...state.meta.setup_allowed, approval.detail])];
      changes.push({ table: 'meta', put: { ...state.meta, setup_allowed } });
    }
    return changes;
  },
  approval_voided: (state, event) => {
    const approval = need(state, 'approvals', event.id);
    const status = step(`approval ${approval.id}`, APPROVAL, approval.status, 'void');
    const put: ApprovalRow = {
      ...approval,
      status,
      feedback: event.reason,
      decided_at: approval.decided_at ?? event.at,
    };
    return [{ table: 'approvals', put }, ...jobChanges(state, approval)];
  },
} satisfies {
  approval_requested: Reducer<'approval_requested'>;
  approval_decided: Reducer<'approval_decided'>;
  approval_voided: Reducer<'approval_voided'>;
};
