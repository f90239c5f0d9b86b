/** Reads tasks as YAML, and the templates of a workspace, without an owner. */
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import { readTaskText, writeTaskText } from '../../engine/task/text/taskText.ts';
import { fillTemplate } from '../../engine/task/text/templateParameters.ts';
import { listTemplates, loadTemplate, templateText } from '../../engine/task/text/templates.ts';
import type { TaskTemplates, TaskText } from '../../engine/workspace/workspace.ts';
import type { Clock } from '../../shared/clock.ts';
import { taskTemplateFolders, taskTemplatesDir } from '../open/taskTemplates.ts';

export function taskText(clock: Clock): TaskText {
  return {
    read: (text, actions) => readTaskText(text, clock.now(), actions),
    write: writeTaskText,
    filled: fillTemplate,
  };
}

export function taskTemplates(places: Pick<WorkspacePaths, 'stateDir' | 'configDir'>, clock: Clock): TaskTemplates {
  const folders = taskTemplateFolders(places);
  return {
    folder: taskTemplatesDir(places),
    list: () => listTemplates(folders, clock.now()),
    load: (name) => loadTemplate(folders, name, clock.now()),
    text: (name) => templateText(folders, name),
  };
}
