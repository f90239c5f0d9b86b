/**
 * The language of plan documents: YAML, recognized by the path. Turns auto-save off for them, because each save creates a version of the plan, and
 * changes the work of a running job.
 */
const PLAN_LANGUAGE = 'autonomous-plan';
const DIGIT = '[0-9]';

export const LANGUAGES = [
  {
    id: PLAN_LANGUAGE,
    aliases: ['Autonomous Plan'],
    filenamePatterns: [`/${DIGIT.repeat(8)}-${DIGIT.repeat(6)}-*/plan.yaml`],
    configuration: './media/plan/language.json',
  },
];

export const GRAMMARS = [
  { language: PLAN_LANGUAGE, scopeName: 'source.autonomous-plan', path: './media/plan/grammar.json' },
];

export const PLAN_DEFAULTS = {
  [`[${PLAN_LANGUAGE}]`]: { 'files.autoSave': 'off', 'editor.insertSpaces': true, 'editor.tabSize': 2 },
};
