/** Parses, serializes and fills in the texts of tasks and templates for the editor, with the engine's modules. */
import * as vscode from 'vscode';
import type { TaskTemplates, TaskText } from '../../../engine/workspace/workspace.ts';
import type { TaskDefinition, TaskTemplate } from '../../../shared/task/tasks.ts';
import type { ListedTemplate, ReadTask } from '../../../shared/task/taskText.ts';
import type { World } from '../../window/world.ts';
import type { RegisteredActions } from '../stepActions.ts';
import { type TaskForm, taskForm } from './taskSchema.ts';

export interface TaskDocuments {
  /** The form of a task, including the actions that are registered now. */
  form(): TaskForm;
  read(text: string): Promise<ReadTask>;
  write(definition: TaskDefinition): Promise<string>;
  templates(): Promise<readonly ListedTemplate[]>;
  /** Throws NOT_FOUND, or INVALID_INPUT with what is wrong with its file. */
  template(name: string): Promise<TaskTemplate>;
  /** Throws INVALID_INPUT. */
  filled(
    template: TaskTemplate,
    parameters: Readonly<Record<string, string | number | boolean>>,
  ): Promise<TaskDefinition>;
}

/** An installed extension may register its actions when it is first needed. */
function isThere(action: string, actions: RegisteredActions): boolean {
  const id = action.slice(0, action.indexOf('/'));
  return actions.names().includes(action) || vscode.extensions.getExtension(id) !== undefined;
}

export function taskDocuments(
  { load, handle }: Pick<World, 'load' | 'handle'>,
  actions: RegisteredActions,
): TaskDocuments {
  let form: TaskForm | null = null;
  actions.changed(() => {
    form = null;
  });
  const texts = async (): Promise<TaskText> => (await load()).taskText();
  const templates = async (): Promise<TaskTemplates> => (await load()).at(handle.place()).taskTemplates();
  return {
    form: () => {
      form ??= taskForm(vscode.l10n, actions.described());
      return form;
    },
    read: async (text) => {
      const { read } = await texts();
      const found = read(text, null);
      const others = (found.task?.steps ?? []).map(({ action }) => action).filter((action) => action.includes('/'));
      const known = others.filter((action) => isThere(action, actions));
      return known.length === others.length ? found : read(text, known);
    },
    write: async (definition) => (await texts()).write(definition),
    templates: async () => (await templates()).list(),
    template: async (name) => (await templates()).load(name),
    filled: async (template, parameters) => (await texts()).filled(template, parameters),
  };
}
