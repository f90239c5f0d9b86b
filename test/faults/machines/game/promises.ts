/** What single events may do: who spends a retry, and what needs somebody's word. */

import type { ApprovalRow } from '../../../../src/shared/approval.ts';
import type { JobRow } from '../../../../src/shared/job/rows.ts';
import type { Event } from '../../../../src/shared/workspace/events.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';

/** Retry counts before an event, to compare with those after it. */
export function retryCounts(state: State): ReadonlyMap<number, number> {
  return new Map([...state.features.values()].map((row) => [row.id, row.retry_count]));
}

/** Throws an Error when the event, now folded in, broke a promise. */
export function checkPromises(state: State, event: Event, before: ReadonlyMap<number, number>): void {
  checkRetries(state, event, before);
  checkPick(state, event);
  const job = 'job_id' in event && event.job_id !== null ? state.jobs.get(event.job_id) : undefined;
  if (job === undefined) return;
  if (event.type === 'job_completed') checkMerge(state, job);
  if (event.type === 'phase_approved' && (event.by === 'steward' || job.options.gates.includes('phase')))
    said(state, `phase ${event.phase_id}`, (row) => row.kind === 'phase' || row.kind === 'escalate');
  if (event.type === 'plan_accepted' && event.by === 'engine' && job.options.gates.includes('plan'))
    said(state, `plan ${event.plan_version}`, (row) => row.subject === `plan:${event.plan_version}`);
}

/** Of results side by side a person picks one that passed; none of them counts by itself. */
function checkPick(state: State, event: Event): void {
  if (event.type !== 'candidate_picked' || event.attempt_id === null) return;
  const id = String(event.attempt_id);
  said(
    state,
    `attempt ${id}`,
    (row) => row.kind === 'pick' && row.feature_id === event.id && (row.choice === id || row.choices[0] === id),
  );
  if (state.attempts.get(event.attempt_id)?.status !== 'succeeded') throw new Error(`attempt ${id} did not pass`);
}

/** A failed attempt uses one retry, unless it lies beside others; so do all of those when none is picked, and a person who says so. */
function checkRetries(state: State, event: Event, before: ReadonlyMap<number, number>): void {
  const none = event.type === 'candidate_picked' && event.attempt_id === null;
  const failed = event.type === 'attempt_ended' && event.status === 'failed';
  for (const { id, retry_count, candidates } of state.features.values()) {
    const used = retry_count - (before.get(id) ?? retry_count);
    const spends = none || event.type === 'feature_retried' || (failed && !candidates.includes(event.id));
    if (used > (spends ? 1 : 0)) throw new Error(`${event.type} used ${used} retries of feature ${id}`);
  }
}

/** The answer binds the commit. */
function checkMerge(state: State, job: JobRow): void {
  const gates = (row: ApprovalRow): boolean => row.kind === 'merge' || row.kind === 'conflict';
  if (job.options.gates.includes('merge'))
    said(state, `the merge of ${job.head}`, (row) => gates(row) && row.commit === job.head);
}

function said(state: State, what: string, about: (row: ApprovalRow) => boolean): void {
  const yes = [...state.approvals.values()].some((row) => row.status === 'approved' && about(row));
  if (!yes) throw new Error(`nobody approved ${what}`);
}
