/** Reassigns roles of a job to other agents: unfinished work of the earlier agents is restarted. */
import type { JobRow } from '../../../shared/job/rows.ts';
import type { Change, State } from '../../../shared/workspace/state.ts';
import { executorFor, executorOf } from '../../agent/executors.ts';
import { abandonInterrupted } from '../../state/abandon.ts';
import { failedSession } from '../../state/endSession.ts';
import { need } from '../../state/rows.ts';
import { moveFeature } from './features.ts';

const WHY = 'given to another agent';

/** `job` has the new executors. Running work is finished by the agent that started it. */
export function givenAway(state: State, job: JobRow, at: string): Change[] {
  // Only a job at rest has sessions that no worker is running.
  if (job.status !== 'paused' && job.status !== 'awaiting_steward') return [];
  const left = new Set<number>();
  const changes: Change[] = [];
  for (const attempt of state.attempts.values()) {
    if (attempt.job_id !== job.id || attempt.status !== 'interrupted') continue;
    const feature = attempt.feature_id === null ? null : need(state, 'features', attempt.feature_id);
    if (executorFor(job, feature === null ? 'reviewer' : 'worker', feature) === executorOf(state, attempt)) continue;
    left.add(attempt.id);
    if (feature?.status === 'in_progress') changes.push({ table: 'features', put: moveFeature(feature, 'release') });
  }
  changes.push(...abandonInterrupted(state, ({ id }) => left.has(id), WHY, at));
  for (const session of state.sessions.values()) {
    const { job_id, status, role, attempt_id, executor } = session;
    if (job_id !== job.id || status !== 'running' || attempt_id !== null) continue;
    if (role !== 'planner' && role !== 'reviewer') continue;
    if (executorFor(job, role) !== executor) changes.push(failedSession(session, WHY, at));
  }
  return changes;
}
