/** Formats a task's events for a person: the lines that they leave in its log. */
import { logLines } from '../../../core/task/taskLog.ts';
import type { NoticeLevel } from '../../../shared/notice.ts';
import type { Event } from '../../../shared/workspace/events.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { Line, Tone } from '../../text/paint.ts';
import { visibleLine } from '../../text/visible.ts';
import { logText } from '../taskText.ts';

const TONES: Readonly<Record<NoticeLevel, Tone>> = { info: 'plain', success: 'good', warning: 'warning', error: 'bad' };

function lines(event: Event, state: State): Line | null {
  const said = [...logLines(state, event.seq)].filter((row) => row.event !== 'task:progress');
  const [first] = said;
  if (first === undefined) return null;
  const name = state.tasks.get(first.task_id)?.name ?? first.task_id;
  const text = said.map((row) => logText(row, name)).join(', ');
  return { text: `${visibleLine(name)}: ${text}`, tone: TONES[first.level] };
}

const silent = (): null => null;

export const taskFormatters = {
  task_created: silent,
  task_defined: silent,
  task_steps_added: silent,
  task_started: lines,
  task_paused: lines,
  task_resumed: lines,
  task_cancelled: lines,
  task_failed: lines,
  task_retried: lines,
  task_completed: lines,
  task_removed: silent,
  task_stepped: lines,
  task_step_asked: lines,
  task_step_waiting: lines,
  task_checkpointed: lines,
  task_progressed: lines,
  task_cloned: silent,
  task_noted: lines,
  schedule_set: silent,
  schedule_removed: silent,
} as const;
