/** Descriptions of the keys of a task's YAML and its actions: for hovers, completion and the JSON schema. */
import type { l10n as editorTexts } from 'vscode';
import type { BuiltInAction, StepDefinition, TaskTemplate } from '../../../shared/task/tasks.ts';

type L10n = Pick<typeof editorTexts, 't'>;
type Texts<K extends string> = Readonly<Record<K, string>>;

export const taskKeyTexts = (l10n: L10n): Texts<keyof TaskTemplate> => ({
  name: l10n.t('Name of the task.'),
  description: l10n.t('Description of the task, for people.'),
  objective: l10n.t('Goal of the task. Its model steps and summaries receive it.'),
  estimatedDurationMinutes: l10n.t('How long it may take. Counts only until this project has better figures.'),
  completionBehavior: l10n.t('Message at its end: none, that it ended, or that with a summary.'),
  notifyOnProgress: l10n.t('Whether the task sends messages about its progress while it runs.'),
  progressIntervalMinutes: l10n.t('Minutes between two such notices.'),
  maxParallel: l10n.t('Maximum number of steps that run in parallel.'),
  budgetUsd: l10n.t('Maximum cost of the task, in USD. When it is used up, the task pauses and asks.'),
  provider: l10n.t('Provider of its model steps. Defaults to the provider of its project.'),
  scenario: l10n.t('Scenario of the simulated model.'),
  model: l10n.t('Model of its steps. Defaults to the model of its project.'),
  steps: l10n.t('Steps of the task. Each step starts when the previous one has ended, unless it sets "needs".'),
  parameters: l10n.t('Parameters of a template, by name. Its texts refer to them as params.name in double braces.'),
});

export const stepKeyTexts = (l10n: L10n): Texts<keyof StepDefinition> => ({
  name: l10n.t('Unique in the task. Later steps refer to its result by this name in double braces.'),
  action: l10n.t('Action of the step.'),
  params: l10n.t('Parameters of the action.'),
  isCheckpoint: l10n.t('Summarize the results so far when the step is completed, before any other step starts.'),
  onError: l10n.t('If the step fails: fail the task, retry the step, or continue without its result.'),
  maxRetries: l10n.t('Maximum number of retries if onError is retry.'),
  backoffSeconds: l10n.t('Pause before the first retry. It doubles with each.'),
  needs: l10n.t('Names of steps that must end first. Defaults to the previous step. Use an empty list for none.'),
  output: l10n.t('JSON Schema that its result must meet.'),
});

export const parameterKeyTexts = (l10n: L10n): Texts<'description' | 'default' | 'choices'> => ({
  description: l10n.t('Description of the value to fill in.'),
  default: l10n.t('Default value, of the same kind: text, number, true or false. If omitted, a value is required.'),
  choices: l10n.t('The only allowed values.'),
});

export const actionTexts = (l10n: L10n): Texts<BuiltInAction> => ({
  llm_generate: l10n.t('Asks the language model. Its answer is the result; its cost counts against the budgets.'),
  wait: l10n.t('Pauses for some minutes, or until a time. The wake-up time survives sleep and restarts.'),
  conditional: l10n.t('Decides by an expression over earlier results which steps run and which are skipped.'),
  aggregate: l10n.t('Combines results of earlier steps: one text, one object or a list.'),
  notify: l10n.t('Shows you a notification.'),
  run_brief: l10n.t('Runs a brief as a job, and ends with the job.'),
  command: l10n.t("Runs a command in the sandbox, in the task's own clone. Its output is the result."),
  http_get: l10n.t('Fetches an address of an allowed host. See the setting autonomous.tasks.allowedHosts.'),
  approval: l10n.t('Asks you a question. If you reject, the step fails.'),
});
