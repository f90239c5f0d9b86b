/** Decides whether the machine has to stay awake for the work of its owner. */

import type { Waiting } from '../../../shared/waiting.ts';
import type { AtWork } from '../../../shared/workspace/atWork.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { goesOnByItself } from '../../job/view/jobStatus.ts';
import { waitsIn } from '../../job/view/waiting.ts';

/** Longer than the wait for a usage limit of a subscription. If all work waits longer, the machine may sleep. */
export const LONGEST_WAIT_MS = 6 * 60 * 60_000;

/** Whether the work runs, or continues soon without a person. A schedule without a running task needs nothing: a missed time is made up. */
export function needsMachine(state: State, { works, jobs, turns }: AtWork, nowMs: number): boolean {
  const waits = waitsIn(state);
  const continues = (waiting: Waiting | null): boolean => {
    if (waiting === null) return true;
    const { who, until } = waiting;
    return who !== 'you' && (until === null || Date.parse(until) - nowMs <= LONGEST_WAIT_MS);
  };
  return (
    jobs.some((id) => {
      const job = state.jobs.get(id);
      return job !== undefined && goesOnByItself(job) && continues(waits.job(job));
    }) ||
    turns.some((id) => {
      const project = state.projects.get(id);
      return project !== undefined && continues(waits.conversation(project));
    }) ||
    (works && [...state.tasks.values()].some((task) => task.status === 'RUNNING' && continues(waits.task(task))))
  );
}
