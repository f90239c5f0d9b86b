/** What the window shows of the state at all times: the status bar, the badge, the context keys of the commands. */
import * as vscode from 'vscode';
import { pendingApprovals } from '../../core/stewardship.ts';
import { todayCosts } from '../../core/views/costs.ts';
import { isAtWork } from '../../core/views/jobStatus.ts';
import type { Clock } from '../../shared/clock.ts';
import type { HostContext } from '../context.ts';
import { JOBS_VIEW, PANEL_VIEW } from '../contributions.ts';
import { setting } from '../settings/read.ts';
import { JobsTree } from './jobsTree.ts';
import { throttle } from './throttle.ts';
import type { BoardViews } from './views.ts';

const BETWEEN_MS = 250;
const HALF_A_CENT = 0.005;

interface Summary {
  readonly running: number;
  /** Settled: what is in flight may yet cost less. */
  readonly todayUsd: number;
  readonly simulatedUsd: number;
  readonly waits: number;
  readonly jobs: number;
}

function summary({ engine, today }: HostContext): Summary {
  const { state } = engine;
  const { spentUsd, openUsd, simulatedUsd } = todayCosts(state, today());
  return {
    running: [...state.jobs.values()].filter(isAtWork).length,
    todayUsd: spentUsd - openUsd,
    simulatedUsd,
    waits: pendingApprovals(state).length,
    jobs: state.jobs.size,
  };
}

/** e.g. `$(sync~spin) 2 running · $1.84 · 1 waits` */
function statusText({ running, todayUsd, simulatedUsd, waits }: Summary): string {
  const money = (usd: number): string => `$${usd.toFixed(2)}`;
  const parts = [
    ...(running > 0 ? [vscode.l10n.t('{0} running', running)] : []),
    ...(todayUsd >= HALF_A_CENT
      ? [money(todayUsd)]
      : running > 0 && simulatedUsd >= HALF_A_CENT
        ? [vscode.l10n.t('{0} simulated', money(simulatedUsd))]
        : []),
    ...(waits > 0 ? [waits === 1 ? vscode.l10n.t('1 waits') : vscode.l10n.t('{0} wait', waits)] : []),
  ];
  const icon = waits > 0 ? '$(bell-dot)' : running > 0 ? '$(sync~spin)' : '$(project)';
  return `${icon} ${parts.length === 0 ? 'Autonomous' : parts.join(' · ')}`;
}

const waitsText = (waits: number): string =>
  waits === 1 ? vscode.l10n.t('1 approval waits') : vscode.l10n.t('{0} approvals wait', waits);

export function showSummary(context: HostContext, clock: Clock, views: BoardViews): vscode.Disposable {
  const { engine } = context;
  const tree = new JobsTree(context);
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
    const facts = summary(context);
    const { hindrance } = engine;
    setKey('folder', hindrance !== 'no_folder' && hindrance !== 'virtual');
    // Among several folders the first command that needs one asks.
    setKey('usable', hindrance === null || hindrance === 'not_chosen');
    setKey('hasJob', facts.jobs > 0);
    setKey('waits', facts.waits > 0);
    const badge =
      facts.waits === 0 || !setting.badge() ? undefined : { value: facts.waits, tooltip: waitsText(facts.waits) };
    treeView.badge = views.setBadge(badge) ? undefined : badge;
    item.text = statusText(facts);
    item.tooltip = vscode.l10n.t('Running jobs, what today cost, and what waits for you');
    item.accessibilityInformation = { label: `Autonomous ${item.text.replace(/^\$\([^)]*\) /, '')}` };
    if (setting.statusBar() && hindrance !== 'no_folder' && hindrance !== 'virtual') item.show();
    else item.hide();
    tree.refresh();
  };
  /** A state that it cannot show must not keep it from showing the next. */
  const showNow = (): void => {
    try {
      show();
    } catch (thrown) {
      context.log.error(thrown instanceof Error ? thrown : String(thrown));
    }
  };
  showNow();
  const later = throttle(clock, BETWEEN_MS, showNow);
  return vscode.Disposable.from(
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
}
