/** Tasks as YAML, for the terminal: read, written, and filled in; and the templates of a workspace. */
import type { Clock } from '../shared/clock.ts';
import { fillTemplate } from '../tasks/blanks.ts';
import { readTaskText, writeTaskText } from '../tasks/taskText.ts';
import { listTemplates, templateText } from '../tasks/templates.ts';
import type { TaskTexts } from '../terminal/deps.ts';
import type { Places } from './places.ts';
import { taskTemplateFolders, taskTemplatesDir } from './taskTemplates.ts';

/** Needs no owner. What extensions register is known where they run: any action of theirs is taken here. */
export function taskTexts(places: Pick<Places, 'stateDir' | 'configDir'>, clock: Clock): TaskTexts {
  const folders = taskTemplateFolders(places);
  return {
    folder: taskTemplatesDir(places),
    read: (text) => readTaskText(text, clock.now(), null),
    write: writeTaskText,
    filled: fillTemplate,
    templates: () => listTemplates(folders, clock.now()),
    templateText: (name) => templateText(folders, name),
  };
}
