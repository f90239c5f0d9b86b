/** The lines that events of a task leave in its log. */

import type { TaskLogRow, TaskRow, TaskStepRow } from '../../shared/task/tasks.ts';
import type { Event } from '../../shared/workspace/events.ts';
import type { Change, State } from '../../shared/workspace/state.ts';
import { isStepOver } from './next.ts';

/** Most lines of one event; an id is the event's number and the line's. */
const LINES_PER_EVENT = 4_096;

/** The log rows of an event, in order. */
export function* logLines(state: State, seq: number): Generator<TaskLogRow> {
  for (let id = seq * LINES_PER_EVENT; ; id++) {
    const row = state.task_logs.get(id);
    if (row === undefined) return;
    yield row;
  }
}

type Said = Pick<TaskLogRow, 'level' | 'event' | 'text' | 'data'> & Partial<Pick<TaskLogRow, 'step_id'>>;

export function logOf(event: Pick<Event, 'seq' | 'at'>, task: Pick<TaskRow, 'id'>, said: Said, line = 0): Change {
  const id = event.seq * LINES_PER_EVENT + line;
  return { table: 'task_logs', put: { step_id: null, ...said, id, seq: event.seq, task_id: task.id, at: event.at } };
}

export interface Progress {
  readonly percent: number;
  readonly done: number;
  readonly total: number;
}

/** `done`: steps that need not run again. A step whose failure fails the task does not count: the task is below 100 until a retry. */
export function progressData(
  steps: readonly Pick<TaskStepRow, 'status' | 'on_error'>[],
): Progress & Record<string, number> {
  const done = steps.filter(isStepOver).length;
  const total = steps.length;
  return { percent: total === 0 ? 0 : Math.floor((100 * done) / total), done, total };
}
