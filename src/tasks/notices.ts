/** What a task says to people: messages out of its project, part of the event that causes them. */
import { progressData } from '../core/reduce/taskLog.ts';
import type { NewMessage } from '../shared/events.ts';
import type { NoticeLevel, TaskRow, TaskStepRow } from '../shared/tasks.ts';
import { oneId, type RunnerPorts } from './ports.ts';

export function notice(ports: Pick<RunnerPorts, 'store'>, task: TaskRow, level: NoticeLevel, text: string): NewMessage {
  return {
    id: oneId(ports, 'messages'),
    project_id: task.project_id,
    direction: 'out',
    sender: 'task',
    text,
    concerns: null,
    relayed_from: null,
    session_id: null,
    task_id: task.id,
    level,
  };
}

/** A silent task says nothing of its end, nor of its checkpoints; that it failed is always said. */
export const speaks = (task: TaskRow): boolean => task.completion_behavior !== 'SILENT';

export function progressText(task: TaskRow, steps: readonly TaskStepRow[]): string {
  const { percent, done, total } = progressData(steps);
  const now = steps.filter(({ status }) => status === 'RUNNING').map(({ name }) => name);
  const running = now.length === 0 ? '' : ` Now: ${now.slice(0, 5).join(', ')}.`;
  return `${task.name}: ${percent} %, ${done} of ${total} steps.${running}`;
}
