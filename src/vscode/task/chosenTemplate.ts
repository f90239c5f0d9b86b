/** A template of tasks that the person chooses, and its blanks that they fill in. */
import * as vscode from 'vscode';
import type { TaskDefinition, TaskTemplate } from '../../shared/task/tasks.ts';
import type { ListedTemplate } from '../../shared/task/taskText.ts';
import { plainWords } from '../words/plainWords.ts';
import { askForParameters } from './askForParameters.ts';
import type { TaskDocuments } from './text/taskDocuments.ts';

type Picked = ListedTemplate | 'empty';

export async function pickTemplate(texts: TaskDocuments, title: string, empty = true): Promise<Picked | null> {
  const origins = {
    workspace: vscode.l10n.t('of this folder'),
    user: vscode.l10n.t('yours'),
    'built-in': vscode.l10n.t('built in'),
  };
  const templates = (await texts.templates()).map((template) => ({
    label: `$(tasklist) ${plainWords(template.name)}`,
    description: origins[template.origin],
    detail: plainWords(template.description),
    value: template as Picked,
  }));
  const none = {
    label: vscode.l10n.t('$(new-file) Empty'),
    description: '',
    detail: vscode.l10n.t('Write its steps yourself, as YAML.'),
    value: 'empty' as Picked,
  };
  const options = { title, matchOnDetail: true, matchOnDescription: true, ignoreFocusOut: true };
  const items = empty ? [...templates, none] : templates;
  return (await vscode.window.showQuickPick(items, options))?.value ?? null;
}

export interface Made {
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  readonly definition: TaskDefinition;
}

/** Returns null if dismissed. */
export async function fillTemplate(texts: TaskDocuments, { name }: ListedTemplate): Promise<Made | null> {
  const template = await texts.template(name);
  const parameters = await askForParameters(template);
  return parameters === null ? null : { parameters, definition: await texts.filled(template, parameters) };
}

export async function filledIn(texts: TaskDocuments, task: TaskTemplate): Promise<TaskDefinition | null> {
  const parameters = await askForParameters(task);
  return parameters === null ? null : texts.filled(task, parameters);
}
