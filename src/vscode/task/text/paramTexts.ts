/** Descriptions of the parameters of each built-in action. */
import type { l10n as editorTexts } from 'vscode';
import type { ParamsOf } from '../../../core/task/script/params.ts';
import type { BuiltInAction } from '../../../shared/task/tasks.ts';

type Texts = { readonly [A in BuiltInAction]: Readonly<Record<keyof ParamsOf<A>, string>> };

export const paramTexts = (l10n: Pick<typeof editorTexts, 't'>): Texts => ({
  llm_generate: {
    prompt: l10n.t('The prompt for the model. Results of earlier steps in double braces are filled in.'),
    systemPrompt: l10n.t('The role of the model, and the style of its answers.'),
    maxTokens: l10n.t('Maximum length of the answer, in tokens. If the answer is longer, the step fails.'),
    temperature: l10n.t("Sampling temperature from 0 to 1. Defaults to the model's setting."),
  },
  wait: {
    minutes: l10n.t('How long. Either this or until.'),
    until: l10n.t('A time with its zone, e.g. 2026-12-24T18:00:00Z. Either this or minutes.'),
  },
  conditional: {
    condition: l10n.t('A CEL expression that returns true or false. Put results in double braces.'),
    ifTrue: l10n.t('Name or names of the steps that run if the condition is true.'),
    ifFalse: l10n.t('Name or names of the steps that run if the condition is false.'),
  },
  aggregate: {
    keys: l10n.t('Names of the steps whose results are combined.'),
    operation: l10n.t('concat: one text. merge: one object. list: a list.'),
    separator: l10n.t('Between the parts of a text.'),
  },
  notify: {
    title: l10n.t('The first line.'),
    message: l10n.t('The text of the notification.'),
    type: l10n.t('How it is shown.'),
  },
  run_brief: {
    brief: l10n.t('The work to do, as in a brief.'),
    gates: l10n.t('Gates at which its job needs your approval.'),
    mergeMode: l10n.t('How the result of its job is delivered.'),
    budgetUsd: l10n.t('Maximum cost of the job, in USD.'),
  },
  command: {
    command: l10n.t('A shell command. Its output is the result; an exit code other than 0 is a failure.'),
    timeoutSeconds: l10n.t('Longest time, in seconds.'),
    network: l10n.t('none, or registries: the package registries, which you are asked about.'),
  },
  http_get: {
    url: l10n.t('Address on an allowed host.'),
    headers: l10n.t('Headers of the request. No secrets: they are part of the task.'),
    as: l10n.t('text, or json: then later steps can refer into the result.'),
    maxBytes: l10n.t('Longest answer, in bytes.'),
    timeoutSeconds: l10n.t('Longest time, in seconds.'),
  },
  approval: {
    question: l10n.t('The question to you.'),
    detail: l10n.t('Details that help you to answer it.'),
    choices: l10n.t('Answers to choose from. If omitted, yes or no.'),
  },
});
