/** Formats tasks for people: status, progress, effects. */
import * as vscode from 'vscode';
import { taskStandsStill } from '../../core/job/view/jobStatus.ts';
import type { Eta, TaskSummary } from '../../shared/task/taskApi.ts';
import type { TaskStatus } from '../../shared/task/tasks.ts';
import type { AtWork } from '../../shared/workspace/atWork.ts';
import { plainWords } from '../words/plainWords.ts';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

export function statusWord(status: TaskStatus): string {
  switch (status) {
    case 'PENDING':
      return vscode.l10n.t('not started');
    case 'RUNNING':
      return vscode.l10n.t('running');
    case 'PAUSED':
      return vscode.l10n.t('paused');
    case 'COMPLETED':
      return vscode.l10n.t('completed');
    case 'FAILED':
      return vscode.l10n.t('failed');
    case 'CANCELLED':
      return vscode.l10n.t('cancelled');
  }
}

const ICONS: Readonly<Record<TaskStatus, string>> = {
  PENDING: 'circle-outline',
  RUNNING: 'sync',
  PAUSED: 'debug-pause',
  COMPLETED: 'pass',
  FAILED: 'error',
  CANCELLED: 'circle-slash',
};

/** Whether the task has a running status although no process runs tasks. */
export const isStill = ({ status, questions }: TaskSummary, atWork: AtWork): boolean =>
  taskStandsStill({ status, questions: questions.length }, atWork);

/** e.g. `running · 40 % · 2 h 5 min left · $0.12` */
export function standing(task: TaskSummary, atWork: AtWork): string {
  const { status, percent, eta, costUsd, simulated, questions, waiting } = task;
  const still = isStill(task, atWork);
  const money = costUsd === 0 ? [] : [simulated ? vscode.l10n.t('{0} simulated', usd(costUsd)) : usd(costUsd)];
  const begun = status === 'PENDING' ? [] : [vscode.l10n.t('{0} %', percent)];
  const left = status === 'RUNNING' && !still ? [leftWords(eta)] : [];
  const holds = status === 'RUNNING' && !still && waiting !== null ? [vscode.l10n.t('waiting')] : [];
  const asks = questions.length > 0 ? [vscode.l10n.t('needs your input')] : holds;
  return [still ? vscode.l10n.t('not running') : statusWord(status), ...asks, ...begun, ...left, ...money].join(' · ');
}

const usd = (amount: number): string => `$${amount.toFixed(2)}`;

function leftWords({ remainingMs }: Eta): string {
  if (remainingMs === null) return vscode.l10n.t('time left unknown');
  const minutes = Math.max(1, Math.round(remainingMs / MINUTE_MS));
  if (minutes < HOUR_MINUTES) return vscode.l10n.t('{0} min left', minutes);
  return vscode.l10n.t('{0} h {1} min left', Math.floor(minutes / HOUR_MINUTES), minutes % HOUR_MINUTES);
}

export type TaskItem = vscode.QuickPickItem & { readonly id: string };

export function taskItem(task: TaskSummary, atWork: AtWork): TaskItem {
  return {
    id: task.id,
    label: `$(${ICONS[isStill(task, atWork) ? 'PAUSED' : task.status]}) ${plainWords(task.name)}`,
    description: standing(task, atWork),
    detail: plainWords(task.reason ?? task.waiting?.reason ?? task.current.join(', ')),
  };
}
