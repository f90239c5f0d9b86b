/** New tasks: of a template with its blanks filled in, or of the YAML in an editor. */
import * as vscode from 'vscode';
import { need } from '../../core/state/rows.ts';
import { definitionOf } from '../../core/task/script/definition.ts';
import { effectsOf } from '../../core/task/script/effects.ts';
import { failure } from '../../shared/errors.ts';
import { taskDefaults } from '../settings/defaults.ts';
import type { HostContext } from '../window/context.ts';
import { currentProject } from '../window/currentProject.ts';
import type { Handlers } from '../window/handlers.ts';
import { oneByKey } from '../window/oneByKey.ts';
import type { World } from '../window/world.ts';
import { plainWords } from '../words/plainWords.ts';
import { filledIn, fillTemplate, type Made, pickTemplate } from './chosenTemplate.ts';
import { effectsAgreed } from './effects.ts';
import { namedTask, pickTask } from './pickTask.ts';
import { firstTask } from './text/firstTask.ts';
import type { TaskDocuments } from './text/taskDocuments.ts';
import { taskUri } from './text/taskFiles.ts';
import { isTaskText, taskOf } from './text/taskUri.ts';

export function newTaskHandlers(context: HostContext, world: World, texts: TaskDocuments) {
  const { engine } = context;
  const starting = oneByKey();
  return {
    'autonomous.newTask': async () => {
      await engine.open();
      const picked = await pickTemplate(texts, vscode.l10n.t('New long-running task'));
      if (picked === null) return;
      if (picked === 'empty') return openEmpty();
      const made = await fillTemplate(texts, picked);
      if (made !== null) await create(context, world, picked.name, made);
    },
    'autonomous.startTask': async (target) => {
      const document = taskDocument(target);
      const key = document?.uri.toString() ?? String(namedTask(target));
      await starting.run(key, async () => {
        if (document !== null && taskOf(document.uri) === null) await startText(context, world, texts, document);
        else await startTask(context, world, target, document);
      });
    },
    'autonomous.checkTask': async (target) => {
      const document = taskDocument(target);
      if (document === null) return showNoText();
      const { faults } = await texts.read(document.getText());
      const text =
        faults.length === 0 ? vscode.l10n.t('This task can be started.') : vscode.l10n.t('{0} problems', faults.length);
      if (faults.length > 0) await vscode.commands.executeCommand('workbench.actions.view.problems');
      void vscode.window.showInformationMessage(plainWords(text));
    },
  } satisfies Handlers;
}

/** Creates a task from a template, and asks whether to start it at once. */
async function create(context: HostContext, world: World, template: string, made: Made): Promise<void> {
  const { engine } = context;
  const { name } = made.definition;
  const now = { label: vscode.l10n.t('$(play) Start It'), start: true };
  const later = { label: vscode.l10n.t('$(edit) Review First'), start: false };
  const chosen = await vscode.window.showQuickPick([now, later], { title: plainWords(name), ignoreFocusOut: true });
  if (chosen === undefined || (chosen.start && !(await effectsAgreed(world, name, effectsOf(made.definition))))) return;
  const project = currentProject(context.extension.workspaceState, engine.state);
  // Provider and model of the settings are written into a definition.
  const { parameters, definition } = made;
  const of = Object.keys(taskDefaults()).length === 0 ? { template, parameters } : { definition };
  const { taskId } = await engine.request('createTask', { project, ...of, start: chosen.start, by: 'steward' });
  if (chosen.start) world.views.task(taskId);
  else await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(taskUri(taskId)));
}

let empties = 0;

async function openEmpty(): Promise<void> {
  empties += 1;
  // With a slash in front: without it the editor finds no backup of it after a reload.
  const uri = vscode.Uri.from({ scheme: 'untitled', path: `/new-${empties}.task.yaml` });
  const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
  if (editor.document.getText() === '')
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), firstTask(vscode.l10n)));
}

/** Returns the given document of a task, or the one in the active editor; null if there is none. */
export function taskDocument(target: unknown): vscode.TextDocument | null {
  if (target !== undefined && !(target instanceof vscode.Uri)) return null;
  const uri = target ?? vscode.window.activeTextEditor?.document.uri;
  const found = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri?.toString());
  return found !== undefined && isTaskText(found.uri) ? found : null;
}

function showNoText(): void {
  const text = vscode.l10n.t(
    'No task is open in the active editor. Open a file that ends in .task.yaml, or create a new task.',
  );
  void vscode.window.showInformationMessage(plainWords(text));
}

/** Creates a new task from a file each time. */
async function startText(
  context: HostContext,
  world: World,
  texts: TaskDocuments,
  document: vscode.TextDocument,
): Promise<void> {
  const { engine } = context;
  await engine.open();
  const { task, faults } = await texts.read(document.getText());
  const [fault] = faults;
  if (fault !== undefined || task === null) return showFault(document, fault);
  const definition = await filledIn(texts, task);
  if (definition === null || !(await effectsAgreed(world, definition.name, effectsOf(definition)))) return;
  const project = currentProject(context.extension.workspaceState, engine.state);
  const { taskId } = await engine.request('createTask', { project, definition, start: true, by: 'steward' });
  world.views.task(taskId);
}

function showFault(
  document: vscode.TextDocument,
  fault: { line: number; column: number; message: string } | undefined,
) {
  const at = new vscode.Position(fault?.line ?? 0, fault?.column ?? 0);
  void vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
  throw failure('INVALID_INPUT', vscode.l10n.t('The task cannot be started: {0}', fault?.message ?? ''));
}

/** Starts an existing task that was not started. Unsaved text in its document is saved first. */
async function startTask(
  context: HostContext,
  world: World,
  target: unknown,
  document: vscode.TextDocument | null,
): Promise<void> {
  const { engine } = context;
  await engine.open();
  // The editor shows its own message if it could not save.
  if (document?.isDirty === true && !(await document.save())) return;
  const taskId = await pickTask(context, world, target, {
    title: vscode.l10n.t('Start which task?'),
    none: vscode.l10n.t('No task is ready to start. Create a new one.'),
    statuses: ['PENDING'],
  });
  if (taskId === null) return;
  const task = need(engine.state, 'tasks', taskId);
  const definition = definitionOf(engine.state, task);
  if (task.status === 'PENDING' && !(await effectsAgreed(world, task.name, effectsOf(definition)))) return;
  await engine.request('startTask', { taskId, by: 'steward' });
  world.views.task(taskId);
}
