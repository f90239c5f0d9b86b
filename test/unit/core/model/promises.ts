/** What single events may do: who spends a retry, and what needs somebody's word. */

import type { ApprovalRow } from '../../../../src/shared/approvals.ts';
import type { JobRow } from '../../../../src/shared/domain.ts';
import type { Event } from '../../../../src/shared/events.ts';
import type { State } from '../../../../src/shared/state.ts';

/** Retry counts before an event, to compare with those after it. */
export function retryCounts(state: State): ReadonlyMap<number, number> {
  return new Map([...state.features.values()].map((row) => [row.id, row.retry_count]));
}

/** Throws an Error when the event, now folded in, broke a promise. */
export function checkPromises(state: State, event: Event, before: ReadonlyMap<number, number>): void {
  checkRetries(state, event, before);
  const job = 'job_id' in event && event.job_id !== null ? state.jobs.get(event.job_id) : undefined;
  if (job === undefined) return;
  if (event.type === 'job_completed') checkMerge(state, job);
  if (event.type === 'phase_approved' && (event.by === 'steward' || job.options.gates.includes('phase')))
    said(state, `phase ${event.phase_id}`, (row) => row.kind === 'phase' || row.kind === 'escalate');
  if (event.type === 'plan_accepted' && event.by === 'engine' && job.options.gates.includes('plan'))
    said(state, `plan ${event.plan_version}`, (row) => row.subject === `plan:${event.plan_version}`);
}

/** A failed attempt uses one retry, and so does a person who says so; nothing else does. */
function checkRetries(state: State, event: Event, before: ReadonlyMap<number, number>): void {
  const spends = (event.type === 'attempt_ended' && event.status === 'failed') || event.type === 'feature_retried';
  for (const { id, retry_count } of state.features.values()) {
    const used = retry_count - (before.get(id) ?? retry_count);
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
