/** Tasks as YAML, and their templates, for the editor. */
import type { Place, TaskTexts } from '../host/engine/backend.ts';
import type { Clock } from '../shared/clock.ts';
import { fillTemplate } from '../tasks/blanks.ts';
import { readTaskText, writeTaskText } from '../tasks/taskText.ts';
import { listTemplates, loadTemplate } from '../tasks/templates.ts';
import { findPlaces } from './places.ts';
import { taskTemplateFolders } from './taskTemplates.ts';

export function editorTaskTexts(clock: Clock): TaskTexts {
  const folders = async ({ folder, jobsDir }: Place) => taskTemplateFolders(await findPlaces(folder, jobsDir));
  return {
    read: (text, actions) => readTaskText(text, clock.now(), actions),
    write: writeTaskText,
    filled: fillTemplate,
    templates: async (place) => listTemplates(await folders(place), clock.now()),
    template: async (place, name) => loadTemplate(await folders(place), name, clock.now()),
  };
}
