/** Everything about tasks in the window. Loaded with the first task or the first text of one. */
import * as vscode from 'vscode';
import { setting } from '../settings/read.ts';
import { withErrorMessage } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import type { World } from '../window/world.ts';
import type { TaskHandlers } from './handlers.ts';
import { keepHandlers } from './keepTask.ts';
import { newTaskHandlers } from './newTask.ts';
import type { RegisteredActions } from './stepActions.ts';
import { lifeHandlers, lookHandlers } from './taskCommands.ts';
import { showNotices } from './taskNotices.ts';
import { showProgress } from './taskProgress.ts';
import { helpWithTasks } from './text/languageHelp.ts';
import { taskDocuments } from './text/taskDocuments.ts';
import { type TaskFiles, taskFiles } from './text/taskFiles.ts';

export interface TaskEditor extends vscode.Disposable {
  readonly handlers: TaskHandlers;
  readonly files: TaskFiles;
}

/** Resumes tasks that are blocked on an action once it is registered, also if this window had not started the engine. */
function goOnWith(context: HostContext, actions: RegisteredActions): void {
  const { engine } = context;
  if (engine.current !== null || engine.blocker !== null || !setting.resumeOnOpen()) return;
  const names = actions.names();
  const waits = [...engine.state.task_steps.values()].some(
    ({ task_id, action, status }) =>
      names.includes(action) &&
      (status === 'PENDING' || status === 'RUNNING') &&
      engine.state.tasks.get(task_id)?.status === 'PAUSED',
  );
  if (waits) void withErrorMessage(context, async () => void (await engine.open()));
}

export function openTaskEditor(
  context: HostContext,
  world: World,
  actions: RegisteredActions,
  filesChanged: (files: vscode.FileChangeEvent[]) => void,
): TaskEditor {
  const texts = taskDocuments(world, actions);
  const changed = new vscode.EventEmitter<void>();
  const files = taskFiles(context, texts, filesChanged);
  const parts = vscode.Disposable.from(
    changed,
    { dispose: actions.changed(() => changed.fire()) },
    { dispose: actions.changed(() => goOnWith(context, actions)) },
    files,
    helpWithTasks(context, texts, changed.event),
    showNotices(context, world.clock),
    showProgress(context, world.clock),
  );
  return {
    files,
    handlers: {
      ...newTaskHandlers(context, world, texts),
      ...lifeHandlers(context, world),
      ...lookHandlers(context, world),
      ...keepHandlers(context, world, texts),
    },
    dispose: () => parts.dispose(),
  };
}
