/** Creates the messages of a task to people: sent from its project, as part of the event that causes them. */
import { taskProgress } from '../../../core/task/view/tasks.ts';
import type { NoticeLevel } from '../../../shared/notice.ts';
import type { NewMessage } from '../../../shared/project/projects.ts';
import type { TaskRow } from '../../../shared/task/tasks.ts';
import { oneId, type RunnerPorts } from '../ports.ts';

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

/** A silent task reports neither its end nor its checkpoints, but always its failure. */
export const speaks = (task: TaskRow): boolean => task.completion_behavior !== 'SILENT';

const MINUTE_MS = 60_000;
const MOST_NAMED = 5;

export function progressText({ store, clock }: Pick<RunnerPorts, 'store' | 'clock'>, taskId: string): string {
  const { name, percent, stepsDone, stepsTotal, current, eta } = taskProgress(store.state, taskId, clock.now());
  const minutes = eta.remainingMs === null ? null : Math.ceil(eta.remainingMs / MINUTE_MS);
  const left = minutes === null ? '' : `, about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} left`;
  const now = current.length === 0 ? '' : ` Now: ${current.slice(0, MOST_NAMED).join(', ')}.`;
  return `${name}: ${percent} %, ${stepsDone} of ${stepsTotal} steps${left}.${now}`;
}
