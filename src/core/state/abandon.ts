/** Ends interrupted attempts and sessions when another decision replaces them. */
import type { AttemptRow } from '../../shared/job/rows.ts';
import type { SessionRow } from '../../shared/session.ts';
import type { Change, State } from '../../shared/workspace/state.ts';
import { endedSession, failedSession } from './endSession.ts';
import { ATTEMPT, step } from './machines.ts';
import { answersOf, isOpenAttempt } from './rows.ts';
import { rested } from './workTime.ts';

/** Ends the interrupted and queued attempts that match, with their sessions. A running one is its loop's alone. */
export function abandonInterrupted(
  state: State,
  matches: (attempt: AttemptRow) => boolean,
  why: string,
  at: string,
): Change[] {
  const changes: Change[] = [];
  for (const attempt of state.attempts.values()) {
    if (attempt.status === 'running' || !isOpenAttempt(attempt) || !matches(attempt)) continue;
    const status = step(`attempt ${attempt.id}`, ATTEMPT, attempt.status, 'abandoned');
    changes.push({
      table: 'attempts',
      put: { ...rested(attempt, at), status, cause: why, queued_at: null, ended_at: at },
    });
    const session = state.sessions.get(attempt.session_id);
    if (session?.status === 'running') changes.push(failedSession(session, why, at));
    if (attempt.feature_id !== null) changes.push(...endSideReviews(state, attempt, why, at));
  }
  return changes;
}

function sideReviews(state: State, attempt: AttemptRow): SessionRow[] {
  return [...state.sessions.values()].filter(
    (row) =>
      row.status === 'running' &&
      row.role === 'reviewer' &&
      row.attempt_id === null &&
      row.job_id === attempt.job_id &&
      row.phase_id === attempt.phase_id &&
      // An older version had one lane, and did not store the attempt.
      (row.reviews === null || row.reviews === attempt.id),
  );
}

/** A reviewer of one feature's attempt has no more work when that attempt ends. */
function endSideReviews(state: State, attempt: AttemptRow, why: string, at: string): Change[] {
  return sideReviews(state, attempt).map((row) => failedSession(row, why, at));
}

/** Completes these reviewers instead if their verdict was received: it is part of the attempt's end. */
export function completeSideReviews(state: State, attempt: AttemptRow, at: string): Change[] {
  return sideReviews(state, attempt).map((row) =>
    endedSession(row, { id: row.id, status: 'completed', error_message: null, turns: answersOf(state, row.id) }, at),
  );
}
