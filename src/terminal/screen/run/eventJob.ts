/** Which job an event is about. */
import type { Event } from '../../../shared/workspace/events.ts';
import type { State } from '../../../shared/workspace/state.ts';

/** Returns null if the event is about no job, or about every job. `state` is after the event. */
export function eventJob(event: Event, state: State): string | null {
  if ('job' in event) return event.job.id;
  if ('job_id' in event) return event.job_id;
  switch (event.type) {
    case 'approval_requested':
    case 'rule_used':
      return event.approval.job_id;
    case 'approval_decided':
    case 'approval_voided':
      return state.approvals.get(event.id)?.job_id ?? null;
    case 'call_reserved':
    case 'call_settled':
    case 'call_released':
    case 'call_unsettled':
    case 'call_adjusted':
      return state.spends.get(event.id)?.job_id ?? null;
    case 'wait_begun':
    case 'wait_ended':
      return state.sessions.get(event.session_id)?.job_id ?? null;
    case 'tried_now':
      return event.of === 'job' ? event.id : null;
    case 'session_ended':
      return state.sessions.get(event.session.id)?.job_id ?? null;
    case 'feature_set':
    case 'feature_retried':
    case 'feature_reordered':
    case 'feature_executors_chosen':
    case 'candidate_picked':
      return state.features.get(event.id)?.job_id ?? null;
    case 'note_added':
      return event.note.feature_id === null ? null : (state.features.get(event.note.feature_id)?.job_id ?? null);
    default:
      return null;
  }
}
