/** The parts of the state that the window always shows: the status bar, the badge, the context keys of the commands. */
import * as vscode from 'vscode';
import type { Clock } from '../../shared/clock.ts';
import { setting } from '../settings/read.ts';
import type { HostContext } from '../window/context.ts';
import { currentProject } from '../window/currentProject.ts';
import { logThrown } from '../window/report.ts';
import { throttle } from '../window/throttle.ts';
import { plainWords } from '../words/plainWords.ts';
import { JOBS_VIEW, PANEL_VIEW } from '../words/viewIds.ts';
import { LazyTree } from './lazyTree.ts';
import { type Summary, summary } from './summaryFacts.ts';
import type { BoardViews } from './views.ts';

const BETWEEN_MS = 250;

const HALF_A_CENT = 0.005;

/** Maximum number of holds in the tooltip. */
const MOST_HELD = 5;

/** For example `$(sync~spin) 2 running · $1.84 · 1 pending` */
function statusText({ folder, running, todayUsd, simulatedUsd, waits, onHold: held }: Summary): string {
  const money = (usd: number): string => `$${usd.toFixed(2)}`;
  const parts = [
    ...(running > 0 ? [vscode.l10n.t('{0} running', running)] : []),
    ...(todayUsd >= HALF_A_CENT
      ? [money(todayUsd)]
      : simulatedUsd >= HALF_A_CENT
        ? [vscode.l10n.t('{0} simulated', money(simulatedUsd))]
        : []),
    ...(held.length > 0 ? [vscode.l10n.t('{0} waiting', held.length)] : []),
    ...(waits > 0 ? [waits === 1 ? vscode.l10n.t('1 pending') : vscode.l10n.t('{0} pending', waits)] : []),
  ];
  const rests = held.length > 0 ? '$(clock)' : '$(project)';
  const icon = waits > 0 ? '$(bell-dot)' : running > 0 ? '$(sync~spin)' : rests;
  const named = folder === null ? [] : [plainWords(folder).replaceAll('$(', '$ (')];
  return `${icon} ${[...named, ...(parts.length === 0 ? ['Autonomous'] : parts)].join(' · ')}`;
}

const waitsText = (waits: number): string =>
  waits === 1 ? vscode.l10n.t('1 approval pending') : vscode.l10n.t('{0} approvals pending', waits);

const unreadText = (unread: number): string =>
  unread === 1
    ? vscode.l10n.t('1 unread message of a project')
    : vscode.l10n.t('{0} unread messages of projects', unread);

/** In a remote window, this is not the machine in front of the user. */
const awakeText = (fault: string | null): string =>
  fault === null
    ? vscode.l10n.t('The machine that runs the jobs is kept awake')
    : vscode.l10n.t('The machine that runs the jobs may sleep: {0}', plainWords(fault));

/** The badge counts only questions. Its tooltip also names unread messages. */
function badgeOf({ waits, unread }: Summary): vscode.ViewBadge | undefined {
  if (waits === 0 || !setting.badge()) return undefined;
  return { value: waits, tooltip: [waitsText(waits), ...(unread > 0 ? [unreadText(unread)] : [])].join(', ') };
}

function tooltipOf({ engine, extension }: HostContext, summed: Summary): string {
  const { folder, projects, unread, onHold: held } = summed;
  const { awake } = engine.atWork;
  const filedIn = currentProject(extension.workspaceState, engine.state);
  return [
    vscode.l10n.t("Running jobs, today's cost, and pending approvals"),
    ...(folder === null ? [] : [vscode.l10n.t('Folder: {0}', plainWords(folder))]),
    ...(projects > 0 ? [vscode.l10n.t('New briefs go to the project {0}', plainWords(filedIn))] : []),
    ...(unread > 0 ? [unreadText(unread)] : []),
    ...(awake === undefined ? [] : [awakeText(awake.fault)]),
    ...held.slice(0, MOST_HELD),
  ].join('\n');
}

export interface ShownSummary extends vscode.Disposable {
  refresh(): void;
}

export function showSummary(context: HostContext, clock: Clock, views: BoardViews): ShownSummary {
  const { engine } = context;
  const tree = new LazyTree(async () => new (await import('./jobsTree.ts')).JobsTree(context, clock));
  const treeView = vscode.window.createTreeView(JOBS_VIEW, { treeDataProvider: tree, showCollapseAll: true });
  const item = vscode.window.createStatusBarItem('autonomous.status', vscode.StatusBarAlignment.Left, 10);
  item.name = 'Autonomous';
  item.command = `${PANEL_VIEW}.focus`;
  const keys = new Map<string, boolean>();
  const setKey = (name: string, value: boolean): void => {
    if (keys.get(name) === value) return;
    keys.set(name, value);
    void vscode.commands.executeCommand('setContext', `autonomous.${name}`, value);
  };
  const show = (): void => {
    const facts = summary(context, clock.now());
    const { blocker } = engine;
    setKey('folder', blocker !== 'no_folder' && blocker !== 'virtual');
    // If there are several folders, the first command that needs one asks.
    setKey('usable', blocker === null || blocker === 'not_chosen');
    setKey('hasJob', facts.jobs > 0);
    setKey('hasTask', facts.tasks > 0);
    setKey('waits', facts.waits > 0);
    setKey('hasProject', facts.projects > 0);
    const badge = badgeOf(facts);
    treeView.badge = views.setBadge(badge) ? undefined : badge;
    item.text = statusText(facts);
    item.tooltip = tooltipOf(context, facts);
    item.accessibilityInformation = { label: `Autonomous ${item.text.replace(/^\$\([^)]*\) /, '')}` };
    if (setting.statusBar() && blocker !== 'no_folder' && blocker !== 'virtual') item.show();
    else item.hide();
    tree.refresh();
  };
  /** A state that it cannot show must not keep it from showing the next. */
  const showNow = (): void => {
    try {
      show();
    } catch (thrown) {
      logThrown(context.log, thrown);
    }
  };
  showNow();
  const later = throttle(clock, BETWEEN_MS, showNow);
  const parts = vscode.Disposable.from(
    treeView,
    item,
    later,
    engine.onDidChange(() => later.ask()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('autonomous')) showNow();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(showNow),
    vscode.workspace.onDidChangeWorkspaceFolders(showNow),
  );
  return { refresh: () => later.ask(), dispose: () => parts.dispose() };
}
