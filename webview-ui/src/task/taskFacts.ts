/** Describes the state of a task or step in words. Pure. */

import type { PanelStep, PanelTask } from '../../../src/shared/task/taskPanel.ts';
import type { Json } from '../../../src/shared/task/tasks.ts';
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';
import type { IconName } from '../ui/Icon.tsx';
import { duration, usd, visible } from '../ui/text/format.ts';

interface Look {
  readonly label: string;
  readonly icon: IconName;
}

const TASKS: Readonly<Record<PanelTask['status'], Look>> = {
  PENDING: { label: t('Not started'), icon: 'circle-outline' },
  RUNNING: { label: t('Running'), icon: 'loading' },
  PAUSED: { label: t('Paused'), icon: 'debug-pause' },
  COMPLETED: { label: t('Completed'), icon: 'pass' },
  FAILED: { label: t('Failed'), icon: 'error' },
  CANCELLED: { label: t('Cancelled'), icon: 'circle-slash' },
};

const STILL: Look = { label: t('Not running'), icon: 'debug-pause' };
const ASKS: Look = { label: t('Needs your input'), icon: 'bell' };

type Looked = Pick<PanelTask, 'status' | 'questions' | 'waiting' | 'still'>;

export function taskLook({ status, questions, waiting, still }: Looked): Look {
  if (questions > 0) return ASKS;
  if (still === true) return STILL;
  return status === 'RUNNING' && waiting !== null ? STEPS.waiting : TASKS[status];
}

const STEPS = {
  pending: { label: t('Pending'), icon: 'circle-outline' },
  again: { label: t('Retrying'), icon: 'refresh' },
  running: { label: t('Running'), icon: 'loading' },
  waiting: { label: t('Waiting'), icon: 'clock' },
  asks: ASKS,
  still: STILL,
  completed: TASKS.COMPLETED,
  failed: TASKS.FAILED,
  skipped: { label: t('Skipped'), icon: 'dash' },
  cancelled: TASKS.CANCELLED,
} as const satisfies Readonly<Record<string, Look>>;

export type StepState = keyof typeof STEPS;

/** The step's status, refined by its wait and by whether a process runs tasks. */
export function stepState({ status, wakeAt, questionId, waiting, still }: PanelStep): StepState {
  if (still === true) return 'still';
  if (status === 'RUNNING') {
    if (questionId !== null) return 'asks';
    return wakeAt !== null || waiting !== null ? 'waiting' : 'running';
  }
  if (status === 'PENDING') return wakeAt !== null ? 'again' : 'pending';
  return status.toLowerCase() as StepState;
}

export const stepLook = (step: PanelStep): Look => STEPS[stepState(step)];

const ACTIONS: Readonly<Record<string, string>> = {
  llm_generate: t('Ask the model'),
  wait: t('Wait'),
  conditional: t('Condition'),
  aggregate: t('Combine results'),
  notify: t('Notify'),
  run_brief: t('Run a brief'),
  command: t('Run a command'),
  http_get: t('Fetch an address'),
  approval: t('Ask you'),
};

/** Actions of other extensions are shown by name. */
export const actionLabel = (action: string): string =>
  Object.hasOwn(ACTIONS, action) ? (ACTIONS[action] ?? action) : visible(action);

export const hasTasks = ({ tasks, schedules }: Pick<PanelView, 'tasks' | 'schedules'>): boolean =>
  tasks.length > 0 || schedules.length > 0;

export const isEnded = ({ status }: PanelTask): boolean =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED';

/** Whether its times change as time passes. */
export const isTicking = ({ status, still }: PanelTask): boolean => status === 'RUNNING' && still !== true;

/** Empty if it has no time that is true now: it did not start, or no process carries it out. */
export function elapsed(task: PanelTask, now: number): string {
  if (task.startedAt === null || task.still === true) return '';
  return duration(task.elapsedMs + (isTicking(task) ? Math.max(0, now - Date.parse(task.asOf)) : 0));
}

/** Empty if the task does not run. */
export function remaining(task: PanelTask, now: number): string {
  if (!isTicking(task)) return '';
  const { etaAt } = task;
  if (etaAt === null) return t('time left unknown');
  const left = Date.parse(etaAt) - now;
  return left > 0 ? t('about {0} left', duration(left)) : t('done any moment');
}

export const money = ({ costUsd, simulated }: PanelTask): string =>
  simulated ? t('{0}, simulated', usd(costUsd)) : usd(costUsd);

/** `Gather details and 2 more` */
export function current({ current: name, running }: PanelTask): string {
  if (name === null) return '';
  return running > 1 ? t('{0} and {1} more', visible(name), running - 1) : visible(name);
}

/** How long the step took, or has run so far. Empty if it did not start, or no process carries it out. */
export function stepTime({ startedAt, endedAt, still }: PanelStep, now: number): string {
  if (startedAt === null || still === true) return '';
  return duration((endedAt === null ? now : Date.parse(endedAt)) - Date.parse(startedAt));
}

export const liveTasks = (tasks: readonly PanelTask[]): readonly PanelTask[] => tasks.filter((task) => !isEnded(task));

/** The time on a step's line: its duration, or when it continues without the user. */
export function stepClock(step: PanelStep, now: number): string {
  const { status, wakeAt, still } = step;
  if (still === true) return '';
  if (wakeAt === null) return status === 'PENDING' ? '' : stepTime(step, now);
  const left = Date.parse(wakeAt) - now;
  return left > 0 ? t('in {0}', duration(left)) : t('now');
}

/** Text for people: indented if it is JSON, else unchanged. */
export function readable(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  if (!/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    // The text only looked like JSON.
    return value;
  }
}

/** Running tasks first, then those that need your input, then the others; the newest first. */
export function inOrder(tasks: readonly PanelTask[]): PanelTask[] {
  const rank = ({ status, questions }: PanelTask): number =>
    questions > 0 ? 1 : status === 'RUNNING' ? 0 : status === 'PAUSED' ? 2 : 3;
  return tasks.toReversed().sort((a, b) => rank(a) - rank(b));
}
