/** Decides which agent runs which session, from the state. */

import { BUILT_IN, type ExecutorRole } from '../../shared/agent/executors.ts';
import type { ApprovalRow } from '../../shared/approval.ts';
import type { AttemptRow, FeatureRow, JobRow } from '../../shared/job/rows.ts';
import type { NoteRow } from '../../shared/note.ts';
import type { State } from '../../shared/workspace/state.ts';
import { need } from '../state/rows.ts';

/** Several agents try it from the same tree, one after the other, and one result is picked. */
export function isSideBySide(feature: FeatureRow): boolean {
  return feature.executors !== null && (feature.executors.length > 1 || feature.candidates.length > 0);
}

/** Each of them has tried it. */
export function allTried({ executors, candidates }: FeatureRow): boolean {
  return executors !== null && candidates.length > 0 && candidates.length >= executors.length;
}

/** Whether the attempt produced a result, passed or failed. Abandoned attempts did not. */
export function cameToEnd({ status }: Pick<AttemptRow, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed';
}

/** Whether a feature with several agents stays open when the newest attempt is abandoned, because another agent attempted it or still will. */
export function othersRemain(state: State, feature: FeatureRow): boolean {
  const tried = candidatesOf(state, feature);
  return isSideBySide(feature) && ((feature.executors?.length ?? 0) - tried.length > 1 || tried.some(cameToEnd));
}

/** The candidate attempts, in the order of `executors`. */
export function candidatesOf(state: State, feature: FeatureRow): AttemptRow[] {
  return feature.candidates.map((id) => need(state, 'attempts', id));
}

/** Whether the note was written by a session of another candidate attempt: each candidate must find for itself what the first one found. */
export function isOfOthers(state: State, feature: FeatureRow, { created_by_session }: NoteRow): boolean {
  return candidatesOf(state, feature).some((attempt) => attempt.session_id === created_by_session);
}

/** The executor of the next session of this role; `feature` for an attempt at one. */
export function executorFor(job: JobRow, role: ExecutorRole, feature: FeatureRow | null = null): string {
  const chosen = role === 'worker' ? (feature?.executors ?? null) : null;
  if (chosen !== null) return chosen[Math.min(feature?.candidates.length ?? 0, chosen.length - 1)] ?? BUILT_IN;
  return job.options.executors?.[role] ?? BUILT_IN;
}

/** The executor of an attempt's session. */
export function executorOf(state: State, { session_id }: AttemptRow): string {
  return state.sessions.get(session_id)?.executor ?? BUILT_IN;
}

/** The attempt that was chosen by an answered question of kind `pick`. */
export function pickedIn({ kind, status, choice, choices }: ApprovalRow): number | null {
  if (kind !== 'pick' || status !== 'approved') return null;
  const id = Number(choices.find((one) => one === choice));
  return Number.isSafeInteger(id) ? id : null;
}
