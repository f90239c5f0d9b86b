/** Commands about the life of a task, and what is shown of one. */
import * as vscode from 'vscode';
import { need } from '../../core/state/rows.ts';
import { taskReport } from '../../core/task/view/taskReport.ts';
import { taskLogs } from '../../core/task/view/tasks.ts';
import type { TaskStatus } from '../../shared/task/tasks.ts';
import type { HostContext } from '../window/context.ts';
import type { Handlers } from '../window/handlers.ts';
import type { World } from '../window/world.ts';
import { plainWords } from '../words/plainWords.ts';
import { pickTask, shownTasks } from './pickTask.ts';
import { isStill, taskItem } from './taskWords.ts';
import { taskUri } from './text/taskFiles.ts';

const OPEN: readonly TaskStatus[] = ['PENDING', 'RUNNING', 'PAUSED'];
const OVER: readonly TaskStatus[] = ['PENDING', 'COMPLETED', 'FAILED', 'CANCELLED'];

type Life = 'pauseTask' | 'retryTask';

export function lifeHandlers(context: HostContext, world: World) {
  const { engine } = context;
  const chosen = async (target: unknown, title: string, statuses: readonly TaskStatus[]): Promise<string | null> => {
    await engine.open();
    const none = vscode.l10n.t('No task is in a state for this.');
    return pickTask(context, world, target, { title, none, statuses });
  };
  const requested = async (request: Life, target: unknown, title: string, status: TaskStatus): Promise<void> => {
    const taskId = await chosen(target, title, [status]);
    if (taskId !== null) await engine.request(request, { taskId, by: 'steward' });
  };
  return {
    'autonomous.pauseTask': (target) => requested('pauseTask', target, vscode.l10n.t('Pause which task?'), 'RUNNING'),
    'autonomous.resumeTask': async (target) => {
      const taskId = await chosen(target, vscode.l10n.t('Resume which task?'), ['PAUSED']);
      // A task whose status is RUNNING continues as soon as this window has an engine.
      if (taskId === null || need(engine.state, 'tasks', taskId).status === 'RUNNING') return;
      await engine.request('resumeTask', { taskId, by: 'steward' });
    },
    'autonomous.retryTask': (target) => requested('retryTask', target, vscode.l10n.t('Retry which task?'), 'FAILED'),
    'autonomous.cancelTask': async (target) => {
      const taskId = await chosen(target, vscode.l10n.t('Cancel which task?'), OPEN);
      if (taskId === null) return;
      const { name } = need(engine.state, 'tasks', taskId);
      const sure = await confirmed(vscode.l10n.t('Cancel "{0}"?', name), {
        detail: vscode.l10n.t('You cannot resume a cancelled task. The results of its steps stay in its report.'),
        go: vscode.l10n.t('Cancel Task'),
      });
      if (sure) await engine.request('cancelTask', { taskId, by: 'steward' });
    },
    'autonomous.removeTask': async (target) => {
      const taskId = await chosen(target, vscode.l10n.t('Remove which task?'), OVER);
      if (taskId === null) return;
      const { name } = need(engine.state, 'tasks', taskId);
      const sure = await confirmed(vscode.l10n.t('Remove "{0}"?', name), {
        detail: vscode.l10n.t('This deletes its steps, their results and its log. Its cost stays in the ledger.'),
        go: vscode.l10n.t('Remove Task'),
      });
      if (sure) await engine.request('removeTask', { taskId, by: 'steward' });
    },
  } satisfies Handlers;
}

async function confirmed(text: string, { detail, go }: { detail: string; go: string }): Promise<boolean> {
  const sure = { title: go };
  // A custom cancel button: the dialog's own Cancel would appear beside Cancel Task.
  const keep = { title: vscode.l10n.t('Keep It'), isCloseAffordance: true };
  const pressed = await vscode.window.showWarningMessage(
    plainWords(text),
    { modal: true, detail: plainWords(detail) },
    sure,
    keep,
  );
  return pressed === sure;
}

export function lookHandlers(context: HostContext, world: World) {
  const { engine } = context;
  const looked = async (target: unknown, title: string): Promise<string | null> => {
    if (engine.current === null) await engine.look();
    const none = vscode.l10n.t('There is no task yet.');
    return pickTask(context, world, target, { title, none, statuses: null });
  };
  return {
    'autonomous.showTask': async (target) => {
      const taskId = await looked(target, vscode.l10n.t('Show which task?'));
      if (taskId !== null) world.views.task(taskId);
    },
    'autonomous.editTask': async (target) => {
      const taskId = await looked(target, vscode.l10n.t('Edit which task?'));
      if (taskId === null) return;
      const document = await vscode.workspace.openTextDocument(taskUri(taskId));
      await vscode.window.showTextDocument(document, { preview: false });
    },
    'autonomous.taskReport': async (target) => {
      const taskId = await looked(target, vscode.l10n.t('Report of which task?'));
      if (taskId === null) return;
      const { report } = taskReport(engine.state, taskId, world.clock.now());
      await world.documents.read(`${taskId}.md`, report);
    },
    'autonomous.taskLog': async (target) => {
      const taskId = await looked(target, vscode.l10n.t('Log of which task?'));
      if (taskId === null) return;
      const lines = taskLogs(engine.state, taskId).map(
        ({ at, level, event, text }) => `${at} ${level.padEnd(7)} ${event ?? '-'} ${text}`,
      );
      await world.documents.show(`${taskId}.log`, `${lines.join('\n')}\n`);
    },
    'autonomous.showTasks': async () => {
      if (engine.current === null) await engine.look();
      await showTasks(context, world);
    },
  } satisfies Handlers;
}

interface Act extends vscode.QuickPickItem {
  readonly command: string;
}

/** A task, and then what can be done with it. */
async function showTasks(context: HostContext, world: World): Promise<void> {
  const { atWork } = context.engine;
  const tasks = shownTasks(context, world);
  const title = vscode.l10n.t('Long-running tasks');
  if (tasks.length === 0) return offerFirst();
  const items = tasks.map((task) => ({
    ...taskItem(task, atWork),
    status: task.status,
    still: isStill(task, atWork),
    name: plainWords(task.name),
  }));
  const picked =
    items.length === 1
      ? items[0]
      : await vscode.window.showQuickPick(items, { title, matchOnDescription: true, ignoreFocusOut: true });
  if (picked === undefined) return;
  // Not its label: a title shows no icons, but their names.
  const act = await vscode.window.showQuickPick(actsOf(picked), { title: picked.name, ignoreFocusOut: true });
  if (act !== undefined) await vscode.commands.executeCommand(act.command, { taskId: picked.id });
}

async function offerFirst(): Promise<void> {
  const begin = vscode.l10n.t('New Task…');
  const pressed = await vscode.window.showInformationMessage(vscode.l10n.t('There is no task yet.'), begin);
  if (pressed === begin) await vscode.commands.executeCommand('autonomous.newTask');
}

function actsOf({ status, still }: { readonly status: TaskStatus; readonly still: boolean }): Act[] {
  const show: Act = { label: vscode.l10n.t('$(eye) Show'), command: 'autonomous.showTask' };
  const report: Act = { label: vscode.l10n.t('$(book) Report'), command: 'autonomous.taskReport' };
  const log: Act = { label: vscode.l10n.t('$(output) Log'), command: 'autonomous.taskLog' };
  const edit: Act = { label: vscode.l10n.t('$(edit) Edit'), command: 'autonomous.editTask' };
  const start: Act = { label: vscode.l10n.t('$(play) Start'), command: 'autonomous.startTask' };
  const pause: Act = { label: vscode.l10n.t('$(debug-pause) Pause'), command: 'autonomous.pauseTask' };
  const resume: Act = { label: vscode.l10n.t('$(debug-continue) Resume'), command: 'autonomous.resumeTask' };
  const retry: Act = { label: vscode.l10n.t('$(debug-restart) Retry'), command: 'autonomous.retryTask' };
  const cancel: Act = { label: vscode.l10n.t('$(debug-stop) Cancel'), command: 'autonomous.cancelTask' };
  const remove: Act = { label: vscode.l10n.t('$(trash) Remove'), command: 'autonomous.removeTask' };
  switch (status) {
    case 'PENDING':
      return [start, edit, show, cancel, remove];
    case 'RUNNING':
      return [show, still ? resume : pause, report, log, cancel];
    case 'PAUSED':
      return [resume, show, report, log, cancel];
    case 'FAILED':
      return [show, retry, report, log, remove];
    case 'COMPLETED':
    case 'CANCELLED':
      return [show, report, log, remove];
  }
}
