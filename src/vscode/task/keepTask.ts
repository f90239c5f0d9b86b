/** Keeps a task for later: as a template to share, or as a schedule. */
import * as vscode from 'vscode';
import { need } from '../../core/state/rows.ts';
import { nextAt } from '../../core/task/schedule.ts';
import { definitionOf } from '../../core/task/script/definition.ts';
import { effectsOf } from '../../core/task/script/effects.ts';
import { asFailure, failure } from '../../shared/errors.ts';
import type { ScheduleRow, TaskDefinition } from '../../shared/task/tasks.ts';
import type { HostContext } from '../window/context.ts';
import { currentProject } from '../window/currentProject.ts';
import type { Handlers } from '../window/handlers.ts';
import type { World } from '../window/world.ts';
import { plainWords } from '../words/plainWords.ts';
import { filledIn, fillTemplate, pickTemplate } from './chosenTemplate.ts';
import { effectsAgreed } from './effects.ts';
import { taskDocument } from './newTask.ts';
import { namedTask, pickTask } from './pickTask.ts';
import type { TaskDocuments } from './text/taskDocuments.ts';
import { taskOf } from './text/taskUri.ts';

export function keepHandlers(context: HostContext, world: World, texts: TaskDocuments) {
  const { engine } = context;
  return {
    'autonomous.saveTaskTemplate': async (target) => {
      await engine.open();
      const taskId = await pickTask(context, world, target, {
        title: vscode.l10n.t('Save which task as a template?'),
        none: vscode.l10n.t('There is no task yet.'),
        statuses: null,
      });
      if (taskId !== null) await saveTemplate(context, texts, taskId);
    },
    'autonomous.scheduleTask': async (target) => {
      await engine.open();
      const definition = await definitionFor(context, texts, target);
      if (definition === 'schedules') await changeSchedule(context, world);
      else if (definition !== null) await schedule(context, world, definition);
    },
  } satisfies Handlers;
}

async function saveTemplate({ engine }: HostContext, texts: TaskDocuments, taskId: string): Promise<void> {
  const { name: proposed } = need(engine.state, 'tasks', taskId);
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Save as Template'),
    prompt: vscode.l10n.t(
      'Template name: small letters, digits and dashes. The template is a file that you can share.',
    ),
    value: proposed
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 64),
    ignoreFocusOut: true,
  });
  if (name === undefined) return;
  const replace = (await texts.templates()).some((one) => one.name === name && one.origin === 'workspace');
  if (replace) {
    const go = vscode.l10n.t('Replace It');
    const text = vscode.l10n.t('There is a template {0} already.', name);
    if ((await vscode.window.showWarningMessage(plainWords(text), { modal: true }, go)) !== go) return;
  }
  const { path } = await engine.request('saveTaskTemplate', { taskId, name, replace });
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(vscode.Uri.file(path)));
}

/** `schedules`: existing ones, to change. Returns null if dismissed. */
async function definitionFor(
  context: HostContext,
  texts: TaskDocuments,
  target: unknown,
): Promise<TaskDefinition | 'schedules' | null> {
  const { state } = context.engine;
  const document = taskDocument(target);
  if (document !== null && taskOf(document.uri) === null) {
    const { task, faults } = await texts.read(document.getText());
    const [fault] = faults;
    if (fault === undefined && task !== null) return filledIn(texts, task);
    throw failure('INVALID_INPUT', vscode.l10n.t('The task cannot be started: {0}', fault?.message ?? ''));
  }
  const named = namedTask(target);
  if (named !== undefined) return definitionOf(state, need(state, 'tasks', named));
  if (state.schedules.size > 0) {
    const fresh = { label: vscode.l10n.t('$(add) A new schedule'), fresh: true };
    const change = { label: vscode.l10n.t('$(calendar) Change a schedule'), fresh: false };
    const picked = await vscode.window.showQuickPick([fresh, change], { ignoreFocusOut: true });
    if (picked?.fresh !== true) return picked === undefined ? null : 'schedules';
  }
  const template = await pickTemplate(texts, vscode.l10n.t('Schedule which template?'), false);
  if (template === null || template === 'empty') return null;
  return (await fillTemplate(texts, template))?.definition ?? null;
}

async function schedule(context: HostContext, world: World, definition: TaskDefinition): Promise<void> {
  const { engine, extension } = context;
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const cron = await askForCron(timeZone, world);
  if (cron === null || !(await effectsAgreed(world, definition.name, effectsOf(definition)))) return;
  const project = currentProject(extension.workspaceState, engine.state);
  const { name } = definition;
  const { nextAt: next } = await engine.request('setSchedule', { project, name, cron, timeZone, definition });
  const text =
    next === null
      ? vscode.l10n.t('"{0}" is scheduled, but has no next run.', name)
      : vscode.l10n.t('"{0}" runs next on {1}.', name, new Date(next).toLocaleString());
  void vscode.window.showInformationMessage(plainWords(text));
}

/** Returns null if dismissed. */
async function askForCron(timeZone: string, { clock }: Pick<World, 'clock'>): Promise<string | null> {
  const usual = [
    { label: vscode.l10n.t('Every hour'), description: '0 * * * *' },
    { label: vscode.l10n.t('Every day at 9'), description: '0 9 * * *' },
    { label: vscode.l10n.t('Monday to Friday at 9'), description: '0 9 * * 1-5' },
    { label: vscode.l10n.t('Every Monday at 9'), description: '0 9 * * 1' },
    { label: vscode.l10n.t('On the first of every month at 9'), description: '0 9 1 * *' },
  ];
  const other = { label: vscode.l10n.t('Another time…'), description: '' };
  const title = vscode.l10n.t('When? ({0})', timeZone);
  const picked = await vscode.window.showQuickPick([...usual, other], { title, ignoreFocusOut: true });
  if (picked === undefined) return null;
  if (picked !== other) return picked.description;
  const typed = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('A cron expression: minute, hour, day, month, weekday.'),
    value: '0 9 * * *',
    ignoreFocusOut: true,
    validateInput: (text) => {
      try {
        nextAt({ cron: text, time_zone: timeZone }, clock.now());
        return null;
      } catch (thrown) {
        return plainWords(asFailure(thrown).message);
      }
    },
  });
  return typed ?? null;
}

async function changeSchedule({ engine }: HostContext, { clock }: Pick<World, 'clock'>): Promise<void> {
  const items = [...engine.state.schedules.values()].map((row) => ({
    label: `$(calendar) ${plainWords(row.name)}`,
    description: `${row.cron} (${row.time_zone})`,
    detail: nextWords(row, clock.now()),
    row,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Change which schedule?'),
    ignoreFocusOut: true,
  });
  if (picked === undefined) return;
  const { id, project_id: project, name, cron, time_zone: timeZone, definition, enabled, keep } = picked.row;
  const turn = { label: enabled ? vscode.l10n.t('Turn Off') : vscode.l10n.t('Turn On'), remove: false };
  const remove = { label: vscode.l10n.t('Remove'), remove: true };
  const act = await vscode.window.showQuickPick([turn, remove], { title: plainWords(name), ignoreFocusOut: true });
  if (act?.remove === true) await engine.request('removeSchedule', { id });
  else if (act !== undefined)
    await engine.request('setSchedule', { id, project, name, cron, timeZone, definition, keep, enabled: !enabled });
}

function nextWords(row: ScheduleRow, nowMs: number): string {
  if (!row.enabled) return vscode.l10n.t('turned off');
  const next = nextAt(row, nowMs);
  return next === null ? vscode.l10n.t('never comes') : vscode.l10n.t('next on {0}', new Date(next).toLocaleString());
}
