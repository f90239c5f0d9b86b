/** Tasks of the state as files of their scheme. Saving a task that was not started redefines it; others are read-only. */
import * as vscode from 'vscode';
import { need } from '../../../core/state/rows.ts';
import { definitionOf } from '../../../core/task/script/definition.ts';
import { asFailure } from '../../../shared/errors.ts';
import type { TaskRow } from '../../../shared/task/tasks.ts';
import type { HostContext } from '../../window/context.ts';
import { plainWords } from '../../words/plainWords.ts';
import { statusWord } from '../taskWords.ts';
import type { TaskDocuments } from './taskDocuments.ts';
import { TASK_SCHEME, taskOf } from './taskUri.ts';

export const taskUri = (taskId: string): vscode.Uri =>
  vscode.Uri.from({ scheme: TASK_SCHEME, path: `/${taskId}/task.yaml` });

export interface TaskFiles extends vscode.Disposable {
  stat(uri: vscode.Uri): Promise<vscode.FileStat>;
  readFile(uri: vscode.Uri): Promise<Uint8Array>;
  writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void>;
}

/** Calls `changed` with the documents of tasks that were started, redefined or removed. */
export function taskFiles(
  context: HostContext,
  texts: TaskDocuments,
  changed: (files: vscode.FileChangeEvent[]) => void,
): TaskFiles {
  const { engine } = context;
  /** Version of each file for the editor: it increases with each change of a task's definition. */
  const stamps = new Map<string, { readonly of: unknown; readonly stamp: number }>();
  const stampOf = (task: TaskRow): number => {
    const before = stamps.get(task.id);
    const of = JSON.stringify(defined(task));
    const stamp = before?.of === of ? before.stamp : (before?.stamp ?? 0) + 1;
    stamps.set(task.id, { of, stamp });
    return stamp;
  };
  const shownTask = async (uri: vscode.Uri): Promise<TaskRow> => {
    const id = taskOf(uri) ?? '';
    // After a reload, an open document may be read before the state: read the state first.
    if (!engine.state.tasks.has(id)) await engine.look();
    const task = engine.state.tasks.get(id);
    if (task === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return task;
  };
  const textOf = async (task: TaskRow): Promise<Uint8Array> => {
    const text = await texts.write(definitionOf(engine.state, task));
    return new TextEncoder().encode(`# ${headOf(task)}\n\n${text}`);
  };
  const watching = engine.onDidChange(() => {
    const ids = [...stamps.keys()].filter((id) => {
      const task = engine.state.tasks.get(id);
      return task !== undefined && stamps.get(id)?.stamp !== stampOf(task);
    });
    if (ids.length > 0) changed(ids.map((id) => ({ type: vscode.FileChangeType.Changed, uri: taskUri(id) })));
  });
  return {
    stat: async (uri) => {
      const task = await shownTask(uri);
      const { length: size } = await textOf(task);
      const stat = { type: vscode.FileType.File, ctime: 0, mtime: stampOf(task), size };
      return task.status === 'PENDING' ? stat : { ...stat, permissions: vscode.FilePermission.Readonly };
    },
    readFile: async (uri) => textOf(await shownTask(uri)),
    writeFile: async (uri, content) => save(context, texts, await shownTask(uri), content),
    dispose: () => watching.dispose(),
  };
}

/** The fields of a row that its document shows. Redefined steps have other ids. */
function defined(task: TaskRow): readonly unknown[] {
  const { status, steps, name, description, objective, model, provider, scenario } = task;
  const { estimated_duration_minutes, completion_behavior, budget_micro_usd, max_parallel } = task;
  const told = [task.notify_on_progress, task.progress_interval_minutes];
  const limits = [estimated_duration_minutes, budget_micro_usd, max_parallel];
  return [status, steps, name, description, objective, model, provider, scenario, completion_behavior, told, limits];
}

function headOf({ status }: TaskRow): string {
  return status === 'PENDING'
    ? vscode.l10n.t('Saving redefines the task. It has not been started.')
    : vscode.l10n.t('Read-only: the task is {0}. A started task cannot be edited.', statusWord(status));
}

/** Throws if the text is not a valid task. The document then stays open and unsaved, with everything that was typed. */
async function save(
  { engine }: HostContext,
  texts: TaskDocuments,
  { id }: TaskRow,
  content: Uint8Array,
): Promise<void> {
  const { task, faults } = await texts.read(new TextDecoder().decode(content));
  if (task === null) {
    throw vscode.FileSystemError.Unavailable(
      plainWords(vscode.l10n.t('This is not a valid task: {0}', faults[0]?.message ?? '')),
    );
  }
  try {
    await engine.open();
    need(engine.state, 'tasks', id);
    const { parameters: _, ...definition } = task;
    await engine.request('defineTask', { taskId: id, definition, by: 'steward' });
  } catch (thrown) {
    // The editor shows this message beside the unsaved document.
    throw vscode.FileSystemError.Unavailable(plainWords(asFailure(thrown).message));
  }
}
