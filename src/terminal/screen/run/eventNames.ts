/** Names features, phases and attempts in the lines of events. */
import { executorOf } from '../../../core/agent/executors.ts';
import { lanesOf } from '../../../core/job/lanes.ts';
import { jobPhases, need } from '../../../core/state/rows.ts';
import { BUILT_IN } from '../../../shared/agent/executors.ts';
import type { AttemptRow } from '../../../shared/job/rows.ts';
import type { EventOf } from '../../../shared/workspace/events.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { visibleLine } from '../../text/visible.ts';

export function featureName(state: State, id: number): string {
  return `feature ${id} "${visibleLine(state.features.get(id)?.name ?? '')}"`;
}

export function phaseName(state: State, id: number): string {
  const phase = need(state, 'phases', id);
  return `phase ${phase.number}/${jobPhases(state, phase.job_id).length} "${visibleLine(phase.title)}"`;
}

/** Empty for a job with one lane. */
export function laneText(state: State, { job_id, lane }: EventOf<'attempt_started'>): string {
  return lane === undefined || lanesOf(need(state, 'jobs', job_id)) === 1 ? '' : `, lane ${lane + 1}`;
}

export function attemptOf(state: State, id: number): string {
  const attempt = need(state, 'attempts', id);
  const what =
    attempt.feature_id === null
      ? `review of ${phaseName(state, attempt.phase_id)}`
      : featureName(state, attempt.feature_id);
  return `attempt ${attempt.number} at ${what}${byWhom(state, attempt)}`;
}

/** The built-in agent is not shown. */
export function byWhom(state: State, attempt: AttemptRow): string {
  const executor = executorOf(state, attempt);
  return executor === BUILT_IN ? '' : ` by ${visibleLine(executor)}`;
}

/** An agent with its own account may plan with another model than the session's. */
export function planningText({ model, executor = BUILT_IN }: EventOf<'session_started'>): string {
  return executor === BUILT_IN ? `Planning with ${visibleLine(model)}` : `Planning by ${visibleLine(executor)}`;
}
