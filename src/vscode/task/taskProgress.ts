/** Shows running tasks as one entry in the status bar. Pressing it offers to show, pause or cancel them. */
import * as vscode from 'vscode';
import { taskFacts } from '../../core/task/view/taskFacts.ts';
import { taskList } from '../../core/task/view/tasks.ts';
import type { Clock } from '../../shared/clock.ts';
import type { TaskSummary } from '../../shared/task/taskApi.ts';
import { setting } from '../settings/read.ts';
import type { HostContext } from '../window/context.ts';
import { throttle } from '../window/throttle.ts';
import { plainWords } from '../words/plainWords.ts';
import { isStill, standing } from './taskWords.ts';

const BETWEEN_MS = 1_000;
/** Refresh interval while a task runs: the remaining time changes without an event. */
const AGAIN_MS = 30_000;
const LONGEST_NAME = 30;
const MOST_LINES = 10;

export function showProgress(context: HostContext, clock: Clock): vscode.Disposable {
  const { engine } = context;
  const item = vscode.window.createStatusBarItem('autonomous.tasks', vscode.StatusBarAlignment.Left, 9);
  item.name = vscode.l10n.t('Autonomous: long-running tasks');
  item.command = 'autonomous.showTasks';
  let again: (() => void) | null = null;
  const later = throttle(clock, BETWEEN_MS, () => {
    again?.();
    again = null;
    const { atWork, state } = engine;
    const tasks = taskList(state, { statuses: ['RUNNING'] }, clock.now(), taskFacts(state));
    const running = tasks.filter((task) => !isStill(task, atWork));
    const [first] = running;
    if (first === undefined || !setting.statusBar()) return item.hide();
    item.text = progressText(running, first);
    item.tooltip = running
      .slice(0, MOST_LINES)
      .map((task) => `${plainWords(task.name)}: ${standing(task, atWork)}`)
      .join('\n');
    item.accessibilityInformation = { label: item.text.replace(/^\$\([^)]*\) /, '') };
    item.show();
    again = clock.timer(AGAIN_MS, () => later.ask());
  });
  later.ask();
  const changes = vscode.Disposable.from(
    engine.onDidChange(() => later.ask()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('autonomous.statusBar')) later.ask();
    }),
  );
  return vscode.Disposable.from(changes, item, later, { dispose: () => again?.() });
}

function progressText(running: readonly TaskSummary[], first: TaskSummary): string {
  const name = first.name.length <= LONGEST_NAME ? first.name : `${first.name.slice(0, LONGEST_NAME)}…`;
  const words =
    running.length === 1 ? vscode.l10n.t('{0} {1} %', name, first.percent) : vscode.l10n.t('{0} tasks', running.length);
  return `$(tasklist) ${plainWords(words)}`;
}
