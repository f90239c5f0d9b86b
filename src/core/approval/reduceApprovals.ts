/** Rows of questions to the steward: new ones, and those that are settled without an answer. `answers.ts` has their events. */
import type { ApprovalRow, NewApproval } from '../../shared/approval.ts';
import { DEFAULT_PROJECT } from '../../shared/project/projects.ts';
import type { Change, State } from '../../shared/workspace/state.ts';
import { APPROVAL, step } from '../state/machines.ts';

export function voided(approval: ApprovalRow, reason: string, at: string): Change {
  const status = step(`approval ${approval.id}`, APPROVAL, approval.status, 'void');
  return { table: 'approvals', put: { ...approval, status, feedback: reason, decided_at: approval.decided_at ?? at } };
}

/** Questions about a result: they are void when a phase is repeated, and are asked again for the new result. */
export function isGate({ kind }: ApprovalRow): boolean {
  return kind === 'merge' || kind === 'phase' || kind === 'escalate' || kind === 'conflict';
}

/** Questions about the project itself, settled otherwise. */
export function voidProjectQuestions(
  state: State,
  projectId: string,
  reason: string,
  at: string,
  matches: (approval: ApprovalRow) => boolean = () => true,
): Change[] {
  return [...state.approvals.values()]
    .filter((row) => row.project_id === projectId && row.job_id === null && row.status === 'pending' && matches(row))
    .map((row) => voided(row, reason, at));
}

/** The row of a new question. */
export function newApproval(state: State, asked: NewApproval, at: string): ApprovalRow {
  const job = asked.job_id === null ? undefined : state.jobs.get(asked.job_id);
  return {
    ...asked,
    project_id: job?.project_id ?? asked.project_id ?? DEFAULT_PROJECT,
    task_id: asked.task_id ?? null,
    facts: asked.facts ?? null,
    rule_id: null,
    status: 'pending',
    choice: null,
    feedback: null,
    decided_by: null,
    requested_at: at,
    decided_at: null,
  };
}
