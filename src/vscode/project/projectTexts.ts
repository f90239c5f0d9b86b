/** How a project is shown in lists, menus and the native tree. */
import * as vscode from 'vscode';
import { MAIN_PROJECT, type ProjectStatus } from '../../shared/project/projects.ts';
import type { ProjectView } from '../../shared/project/projectView.ts';

function statusWord(status: ProjectStatus): string {
  switch (status) {
    case 'active':
      return vscode.l10n.t('Active');
    case 'suspended':
      return vscode.l10n.t('Suspended');
    case 'completed':
      return vscode.l10n.t('Completed');
    case 'archived':
      return vscode.l10n.t('Archived');
  }
}

function doingWord(doing: ProjectView['doing']): string {
  switch (doing) {
    case 'talking':
      return vscode.l10n.t('talking');
    case 'working':
      return vscode.l10n.t('working');
    case 'waiting':
      return vscode.l10n.t('waiting');
    case 'idle':
      return vscode.l10n.t('idle');
    case 'stopped':
      return vscode.l10n.t('stopped');
  }
}

/** The displayed name. The main agent is not listed as a project. */
export function shownName(project: string): string {
  return project === MAIN_PROJECT ? vscode.l10n.t('Main agent') : project;
}

/** Its state in one line, e.g. `Active · working · 2 unread · $0.31 today`. */
export function standing(view: ProjectView): string {
  const { status, parked, doing, questions, unread, todayUsd } = view;
  return [
    parked ? vscode.l10n.t('Parked') : statusWord(status),
    ...(status === 'active' && !parked ? [doingWord(doing)] : []),
    ...(questions > 0 ? [vscode.l10n.t('needs your input: {0}', questions)] : []),
    ...(unread > 0 ? [vscode.l10n.t('unread: {0}', unread)] : []),
    ...(todayUsd >= 0.005 ? [vscode.l10n.t('{0} today', `$${todayUsd.toFixed(2)}`)] : []),
  ].join(' · ');
}

const ICONS: Readonly<Record<ProjectStatus, string>> = {
  active: 'folder-active',
  suspended: 'debug-pause',
  completed: 'pass',
  archived: 'archive',
};

export function projectIcon({ status, parked, doing }: Pick<ProjectView, 'status' | 'parked' | 'doing'>): string {
  if (parked) return 'warning';
  return doing === 'talking' || doing === 'working' ? 'sync~spin' : ICONS[status];
}
