/** Whether a task goes on by itself when its workspace is opened: one that runs or waits for a time, or one that comes again. */
import type { State } from '../../shared/state.ts';

export function hasTaskAtWork({ tasks, schedules }: State): boolean {
  return (
    [...tasks.values()].some(({ status }) => status === 'RUNNING') || [...schedules.values()].some((row) => row.enabled)
  );
}
