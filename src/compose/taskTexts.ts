/** Tasks as YAML, for the terminal: read, written, and filled in; and the templates of a workspace. */
import type { Clock } from '../shared/clock.ts';
import { fillTemplate } from '../tasks/blanks.ts';
import { type ReadTaskText, readTaskText, writeTaskText } from '../tasks/taskText.ts';
import { listTemplates, templateText } from '../tasks/templates.ts';
import type { TaskFault, TaskTexts } from '../terminal/deps.ts';
import type { Places } from './places.ts';
import { taskTemplateFolders, taskTemplatesDir } from './taskTemplates.ts';

type Fault = ReadTaskText['faults'][number];

const inOrder = (a: Fault, b: Fault): number => a.line - b.line || a.column - b.column;

/** Editors count lines and columns from 0, people from 1. */
const fromOne = ({ line, column, message }: Fault): TaskFault => ({
  line: line + 1,
  column: column + 1,
  text: message,
});

/** Needs no owner. What extensions register is known where they run: any action of theirs is taken here. */
export function taskTexts(places: Pick<Places, 'stateDir' | 'configDir'>, clock: Clock): TaskTexts {
  const folders = taskTemplateFolders(places);
  return {
    folder: taskTemplatesDir(places),
    read: (text) => {
      const { task, faults } = readTaskText(text, clock.now(), null);
      return { task, faults: faults.toSorted(inOrder).map(fromOne) };
    },
    write: writeTaskText,
    filled: fillTemplate,
    templates: () => listTemplates(folders, clock.now()),
    templateText: (name) => templateText(folders, name),
  };
}
