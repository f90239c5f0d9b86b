/** Answers without a model, as Markdown. Texts of models, people and repositories are escaped to plain text. */
import * as vscode from 'vscode';
import { openQuestions, waitingFor } from '../../core/approval/sameCause.ts';
import { jobSummary } from '../../core/job/view/job.ts';
import { isOpen, standsStill } from '../../core/job/view/jobStatus.ts';
import { shownProjects } from '../project/pickProject.ts';
import { standing } from '../project/projectTexts.ts';
import type { HostContext } from '../window/context.ts';
import { plainMarkdown } from '../words/plainMarkdown.ts';

const oneLine = (text: string): string => plainMarkdown(text.replaceAll(/\s+/g, ' ').trim());

export function statusText({ engine }: HostContext): string {
  const { state } = engine;
  const open = [...state.jobs.values()].filter(isOpen).reverse();
  const waiting = openQuestions(state);
  const jobs = open.map((job) => {
    const { id, project_id } = job;
    const { status, features, title } = jobSummary(state, id);
    const shown = standsStill(job, engine.atWork) ? vscode.l10n.t('not running') : status;
    const done = vscode.l10n.t('{0} of {1} features', features.completed, features.total);
    return `* **${oneLine(title)}** (${oneLine(project_id)}): ${shown}, ${done}`;
  });
  const questions = waiting.map(
    ({ row, others }) => `* **${oneLine(waitingFor(state, row, others).join(', '))}**: ${oneLine(row.question)}`,
  );
  return [
    open.length === 0 ? vscode.l10n.t('No job is open.') : `${vscode.l10n.t('Open jobs')}\n\n${jobs.join('\n')}`,
    waiting.length === 0
      ? vscode.l10n.t('Nothing needs your input.')
      : `${vscode.l10n.t('Needs your input')}\n\n${questions.join('\n')}`,
  ].join('\n\n');
}

export function projectsText(context: HostContext): string {
  const shown = shownProjects(context).filter(({ status }) => status !== 'archived');
  if (shown.length === 0) return vscode.l10n.t('There is no project yet.');
  return shown
    .map((view) => {
      const goal = view.goal === '' ? '' : `  \n  ${oneLine(view.goal)}`;
      return `* **${oneLine(view.name)}**: ${oneLine(standing(view))}${goal}`;
    })
    .join('\n');
}
