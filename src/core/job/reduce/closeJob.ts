/** What ends together with a job. */
import type { Change, State } from '../../../shared/workspace/state.ts';
import { failedSession } from '../../state/endSession.ts';
import { APPROVAL, ATTEMPT, PHASE, step } from '../../state/machines.ts';
import { isOpenAttempt, jobApprovals, jobPhases } from '../../state/rows.ts';
import { rested } from '../../state/workTime.ts';
import { toBacklog } from '../plan/backlog.ts';
import { moveFeature } from './features.ts';

/** Closes an ended job: its questions are voided, and its open sessions and attempts end. */
export function closeJob(state: State, jobId: string, at: string, why: string): Change[] {
  const changes: Change[] = [];
  for (const approval of jobApprovals(state, jobId)) {
    if (approval.status !== 'pending') continue;
    const status = step(`approval ${approval.id}`, APPROVAL, approval.status, 'void');
    changes.push({ table: 'approvals', put: { ...approval, status, decided_at: at, feedback: why } });
  }
  for (const attempt of state.attempts.values()) {
    if (attempt.job_id !== jobId || !isOpenAttempt(attempt)) continue;
    const status = step(`attempt ${attempt.id}`, ATTEMPT, attempt.status, 'abandoned');
    changes.push({
      table: 'attempts',
      put: { ...rested(attempt, at), status, cause: why, queued_at: null, ended_at: at },
    });
  }
  for (const row of state.features.values()) {
    if (row.job_id !== jobId) continue;
    const feature = row.status === 'in_progress' ? moveFeature(row, 'release') : row;
    // An imported feature can be taken by another job, instead of being pending in a job that ended.
    const isFree = feature.status === 'pending' && feature.created_by === 'import';
    if (isFree || feature !== row) changes.push({ table: 'features', put: isFree ? toBacklog(feature) : feature });
  }
  for (const session of state.sessions.values()) {
    if (session.job_id === jobId && session.status === 'running') changes.push(failedSession(session, why, at));
  }
  return changes;
}

/** The reason for the end of a cancelled job's phases. */
export const JOB_CANCELLED = 'job cancelled';

/** The running phase fails with its job. */
export function failPhases(state: State, jobId: string, at: string, why: string): Change[] {
  return jobPhases(state, jobId)
    .filter((phase) => phase.status === 'executing' || phase.status === 'reviewing')
    .map((phase) => ({
      table: 'phases',
      put: {
        ...phase,
        status: step(`phase ${phase.id}`, PHASE, phase.status, 'fail'),
        error_message: why,
        completed_at: at,
      },
    }));
}
