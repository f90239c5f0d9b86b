/** The view of a followed task: its log as it grows, and its progress below. */
import { logLines } from '../../core/task/taskLog.ts';
import { taskFacts } from '../../core/task/view/taskFacts.ts';
import { logView, taskProgress, taskSummary } from '../../core/task/view/tasks.ts';
import type { Event } from '../../shared/workspace/events.ts';
import type { State } from '../../shared/workspace/state.ts';
import { jobEndedLine } from '../job/run/jobEnded.ts';
import type { Context } from '../screen/context.ts';
import { eventLine } from '../screen/run/eventLine.ts';
import type { Shown } from '../screen/run/views.ts';
import { barText, moneyText, nowText, TASK_TONES } from '../screen/taskText.ts';
import type { Tone } from '../text/paint.ts';
import { visibleLine } from '../text/visible.ts';
import { truncate } from '../text/width.ts';

export function taskShown(context: Context, taskId: string, state: () => State): Shown {
  return {
    concerns: (event, after) => eventTask(event, after) === taskId,
    json: (event, after) =>
      [...logLines(after, event.seq)].map((row) => ({ type: 'task_log', taskId, ...logView(after, row) })),
    line: (event, after) => jobEndedLine(event, after) ?? eventLine(event, after, context),
    takes: () => false,
    region: ({ width }) => (state().tasks.has(taskId) ? regionLines(context, state(), taskId, width) : []),
  };
}

function regionLines({ deps: { clock }, paint }: Context, state: State, taskId: string, width: number): string[] {
  const facts = taskFacts(state);
  const progress = taskProgress(state, taskId, clock.now(), facts);
  const { simulated } = taskSummary(state, taskId, clock.now(), facts);
  const lines: readonly (readonly [string, Tone])[] = [
    [visibleLine(progress.name), TASK_TONES[progress.status]],
    [barText(progress, width), 'plain'],
    nowText(progress, clock),
    [moneyText(progress, simulated), 'faint'],
  ];
  return lines.map(([text, tone]) => paint(truncate(text, width), tone));
}

/** The task that an event is about, and those that move its numbers. `state` is after it. */
function eventTask(event: Event, state: State): string | null {
  switch (event.type) {
    case 'task_created':
    case 'task_defined':
      return event.task.id;
    case 'approval_decided':
    case 'approval_voided':
      return state.approvals.get(event.id)?.task_id ?? null;
    case 'call_reserved':
    case 'call_settled':
    case 'call_released':
      return state.spends.get(event.id)?.task_id ?? null;
    case 'wait_begun':
    case 'wait_ended':
      return state.sessions.get(event.session_id)?.task_id ?? null;
    case 'tried_now':
      return event.of === 'task' ? event.id : null;
    default:
      return 'task_id' in event ? (event.task_id ?? null) : null;
  }
}
