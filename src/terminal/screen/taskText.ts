/** Formats a task for a person: its progress, current steps, duration and cost. */
import { spentText } from '../../core/money/view/spent.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Eta, TaskProgress } from '../../shared/task/taskApi.ts';
import type { StepStatus, TaskEventName, TaskLogRow, TaskStatus } from '../../shared/task/tasks.ts';
import { dollars, duration, moment, plural } from '../text/format.ts';
import type { Tone } from '../text/paint.ts';
import { visibleLine } from '../text/visible.ts';
import { displayWidth } from '../text/width.ts';
import { whyWaiting } from './waiting.ts';

const BAR = 30;
const LEAST_BAR = 5;

export const TASK_TONES: Readonly<Record<TaskStatus, Tone>> = {
  PENDING: 'plain',
  RUNNING: 'strong',
  PAUSED: 'warning',
  COMPLETED: 'good',
  FAILED: 'bad',
  CANCELLED: 'bad',
};

/** A status of a task or step as a person reads it. */
export const statusWord = (status: TaskStatus | StepStatus): string => status.toLowerCase();

/** Distinguishable without colors. */
export const STEP_MARKS: Readonly<Record<StepStatus, string>> = {
  PENDING: '·',
  RUNNING: '>',
  COMPLETED: '+',
  FAILED: 'x',
  SKIPPED: '-',
  CANCELLED: 'x',
};

type Way = Pick<TaskProgress, 'percent' | 'stepsDone' | 'stepsTotal'>;

export const wayText = ({ percent, stepsDone, stepsTotal }: Way): string =>
  stepsTotal === 0 ? 'no steps yet' : `${percent} %, ${stepsDone}/${plural(stepsTotal, 'step')}`;

/** The bar beside its numbers; only the numbers if the line is too narrow. */
export function barText(progress: Way, width: number): string {
  const way = wayText(progress);
  const room = Math.min(BAR, width - displayWidth(way) - 3);
  if (progress.stepsTotal === 0 || room < LEAST_BAR) return way;
  const full = Math.floor((progress.percent / 100) * room);
  return `[${'='.repeat(full)}${'-'.repeat(room - full)}] ${way}`;
}

/** The current work. If there is none, the reason and the end of the wait. */
export function nowText(progress: TaskProgress, clock: Clock): readonly [string, Tone] {
  const { status, reason, current, questions, nextWakeAt, waiting } = progress;
  const [asked] = questions;
  if (asked !== undefined) return [`Waiting for you, question ${asked.id}: ${visibleLine(asked.question)}`, 'warning'];
  const why = reason === null ? '' : `: ${visibleLine(reason)}`;
  if (status === 'PENDING') return ['Not started yet', 'plain'];
  if (status !== 'RUNNING') {
    const word = statusWord(status);
    return [`${word.charAt(0).toUpperCase()}${word.slice(1)}${why}`, TASK_TONES[status]];
  }
  if (waiting !== null) return [whyWaiting(waiting, clock), 'warning'];
  const until =
    nextWakeAt === null
      ? ''
      : ` until ${moment(nextWakeAt, clock)} (${duration(Date.parse(nextWakeAt) - clock.now())})`;
  if (current.length === 0) return [until === '' ? 'Between two steps' : `Waits${until}`, 'plain'];
  return [`${current.map(visibleLine).join(', ')}${until}`, 'plain'];
}

function etaText({ remainingMs, source }: Eta): string {
  if (remainingMs === null) return 'time left unknown';
  return `about ${duration(remainingMs)} left${source === 'estimate' ? ' by its estimate' : ''}`;
}

const EVENT_WORDS: Readonly<Partial<Record<TaskEventName, string>>> = {
  'task:checkpoint': 'checkpoint',
  'task:failed': 'failed',
  'task:paused': 'paused',
  'task:cancelled': 'cancelled',
};

/** A line of the log. For its start and its completion, the task's name is left out. */
export function logText({ event, text }: Pick<TaskLogRow, 'event' | 'text'>, name: string): string {
  if (event === 'task:completed') return 'completed';
  if (event === 'task:started' && text === name) return 'started';
  const word = event === null ? undefined : EVENT_WORDS[event];
  return word === undefined ? visibleLine(text) : `${word}: ${visibleLine(text)}`;
}

/** Cost, time so far, time left. */
export function moneyText(progress: TaskProgress, simulated: boolean): string {
  const { status, elapsedMs, eta } = progress;
  const isOpen = status === 'RUNNING' || status === 'PAUSED' || status === 'PENDING';
  const parts = [
    spentText(progress, dollars),
    ...(status === 'PENDING' ? [] : [duration(elapsedMs)]),
    ...(isOpen ? [etaText(eta)] : []),
    ...(simulated ? ['simulation'] : []),
  ];
  return parts.join(' · ');
}
