/** Tasks are YAML: files that anyone may share, and documents of the tasks of a folder. Nothing here is loaded by the extension. */
import { TASK_SCHEME } from './taskUri.ts';

const HEX = '[0-9a-f]';

/** Languages of a task's document in the state. Turns auto-save off for it, because each save redefines the task. */
export const TASK_LANGUAGES = [
  {
    id: TASK_SCHEME,
    aliases: ['Autonomous Task'],
    filenamePatterns: [`/task-${HEX.repeat(8)}/task.yaml`],
    configuration: './media/plan/language.json',
  },
];

export const TASK_GRAMMARS = [
  { language: TASK_SCHEME, scopeName: 'source.autonomous-task', path: './media/task/grammar.json' },
];

export const TASK_DEFAULTS = {
  [`[${TASK_SCHEME}]`]: { 'files.autoSave': 'off', 'editor.insertSpaces': true, 'editor.tabSize': 2 },
};

/** For tools that know JSON Schema. */
export const TASK_FILES = ['*.task.yaml', '*.task.yml', '.autonomous/templates/tasks/*.yaml'];
