/** The message that releases a project that waited for another one: the goal of that project, and what its jobs built. */

import { oneLine, outcomeText } from '../../core/job/view/jobReport.ts';
import { goalOf } from '../../core/project/projectView.ts';
import { jobPhases, projectJobs } from '../../core/state/rows.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import type { ProjectRow } from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';
import { headAndTail } from '../session/text.ts';

/** Characters of all jobs. */
const MAX_JOBS_TEXT = 12_000;
/** Characters of the summary of one phase, which has at most 300 words. */
const MAX_SUMMARY = 2_400;
const SHORT_COMMIT = 12;

export interface Completion {
  readonly reason: string;
  readonly by: 'steward' | 'main';
}

/** The message for `released`, which comes after the project `before`. */
export function releasedText(state: State, before: ProjectRow, released: ProjectRow, given: Completion): string {
  const by = given.by === 'steward' ? 'the steward' : 'the main agent';
  const why = oneLine(given.reason).replace(/\.$/, '');
  const goal = goalOf(before.body);
  const lines = [
    `Project ${before.id} is completed by ${by}${why === '' ? '' : `: ${why}`}. You come after it, and may start.`,
    ...(goal === '' ? [] : [`- Its goal: ${oneLine(goal)}`]),
    ...jobLines(state, projectJobs(state, before.id)),
    `- Its repository: ${repositoryText(before, released)}`,
    `- ${before.id} takes no more messages. If you need to know more of it, notify the steward and the main agent.`,
  ];
  return lines.join('\n');
}

/** The newest jobs first. After the first summary that does not fit, jobs have their line alone. What is left out is counted. */
function jobLines(state: State, jobs: readonly JobRow[]): string[] {
  if (jobs.length === 0) return ['- It had no jobs.'];
  const lines = ['- Its jobs, the newest first:'];
  let left = MAX_JOBS_TEXT;
  const fits = (line: string): boolean => {
    if (line.length > left) return false;
    left -= line.length;
    lines.push(line);
    return true;
  };
  let summaries = 0;
  let older = 0;
  for (const job of jobs.toReversed()) {
    if (older > 0 || !fits(jobLine(state, job))) older += 1;
    else for (const line of builtLines(state, job)) if (summaries > 0 || !fits(line)) summaries += 1;
  }
  if (summaries > 0) lines.push(`  - Left out for length: ${summaries} of the summaries of phases.`);
  if (older > 0) lines.push(`  - Left out for length: ${older} older jobs.`);
  return lines;
}

/** Without an id: the released project cannot read this job. */
function jobLine(state: State, job: JobRow): string {
  const { title, merge } = job;
  const commit = merge?.commit == null ? '' : ` as commit ${merge.commit.slice(0, SHORT_COMMIT)}`;
  const undone = merge?.rolledBack === true ? ', rolled back since' : '';
  return `  - ${oneLine(title)}: ${outcomeText(state, job)}${commit}${undone}.`;
}

/** The summaries of the phases of a job whose result was taken. */
function builtLines(state: State, { id, merge }: JobRow): string[] {
  if (merge === null || merge.rolledBack) return [];
  return jobPhases(state, id).flatMap(({ number, title, summary }) => {
    const text = (summary ?? '').replaceAll(/\s+/g, ' ').trim();
    return text === '' ? [] : [`    - Phase ${number}, ${oneLine(title)}: ${headAndTail(text, MAX_SUMMARY)}`];
  });
}

function repositoryText(before: ProjectRow, released: ProjectRow): string {
  if (before.workdir === released.workdir) return 'the same as yours. Your file tools show it.';
  const where = before.workdir === null ? 'that of the workspace' : before.workdir;
  return `${where}. It is not yours: your file tools cannot read it.`;
}
