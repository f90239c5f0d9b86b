/** What the keys of a task's YAML and its actions do, for people: the editor's hovers, its completion and the JSON schema. */
import type { l10n as editorTexts } from 'vscode';
import type { BuiltInAction, StepDefinition, TaskTemplate } from '../../../shared/task/tasks.ts';

type L10n = Pick<typeof editorTexts, 't'>;
type Texts<K extends string> = Readonly<Record<K, string>>;

export const taskKeyTexts = (l10n: L10n): Texts<keyof TaskTemplate> => ({
  name: l10n.t('What the task is called.'),
  description: l10n.t('What it is about, for people.'),
  objective: l10n.t('What is to be reached. Its model steps and summaries are told.'),
  estimatedDurationMinutes: l10n.t('How long it may take. Counts only until this project has better figures.'),
  completionBehavior: l10n.t('What is told at its end: nothing, that it ended, or that with a summary.'),
  notifyOnProgress: l10n.t('Whether its progress is told while it runs.'),
  progressIntervalMinutes: l10n.t('Minutes between two such notices.'),
  maxParallel: l10n.t('Steps that may run side by side.'),
  budgetUsd: l10n.t('Most that it may cost, in USD. When it is used up, the task pauses and asks.'),
  provider: l10n.t('Who answers its model steps. Left out: who answers its project.'),
  scenario: l10n.t('With the simulated model: which of its scenarios.'),
  model: l10n.t('Model of its steps. Left out: that of its project.'),
  steps: l10n.t('What is done. Each step begins when the one before it is over, unless it says what it needs.'),
  parameters: l10n.t('Blanks of a template, by name. Its texts hold them as params.name in double braces.'),
});

export const stepKeyTexts = (l10n: L10n): Texts<keyof StepDefinition> => ({
  name: l10n.t('Unique in the task. Later steps refer to its result by this name in double braces.'),
  action: l10n.t('What the step does.'),
  params: l10n.t('What the action needs.'),
  isCheckpoint: l10n.t('Sum up the results so far when it is completed, before anything else begins.'),
  onError: l10n.t('When it fails: the task fails too, it is tried again, or the task goes on without its result.'),
  maxRetries: l10n.t('With onError: retry, how often it is tried again.'),
  backoffSeconds: l10n.t('Pause before the first retry. It doubles with each.'),
  needs: l10n.t('Names of steps that must be over first; an empty list: none. Left out: the step before it.'),
  output: l10n.t('JSON Schema that its result must meet.'),
});

export const parameterKeyTexts = (l10n: L10n): Texts<'description' | 'default' | 'choices'> => ({
  description: l10n.t('What to fill in, for people.'),
  default: l10n.t(
    'What counts when nothing is given, of the same kind: text, number, true or false. Left out: it must be given.',
  ),
  choices: l10n.t('The only values that it takes.'),
});

export const actionTexts = (l10n: L10n): Texts<BuiltInAction> => ({
  llm_generate: l10n.t('Asks the language model. Its answer is the result; its cost counts against the budgets.'),
  wait: l10n.t('Waits for some minutes, or until a time. The wake-up time survives sleep and restarts.'),
  conditional: l10n.t('Decides by an expression over earlier results which steps are done and which are skipped.'),
  aggregate: l10n.t('Combines results of earlier steps: one text, one object or a list.'),
  notify: l10n.t('Tells you something in a notification.'),
  run_brief: l10n.t('Carries out a brief as a job, and waits for its end.'),
  command: l10n.t("Runs a command in the sandbox, in the task's own clone. Its output is the result."),
  http_get: l10n.t('Fetches an address of an allowed host. See the setting autonomous.tasks.allowedHosts.'),
  approval: l10n.t('Asks you, and waits for your answer. Your no makes the step fail.'),
});
