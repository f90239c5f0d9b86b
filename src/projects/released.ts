/** The message that releases a project that waited for another one: the goal of that project, and the results of its jobs. */
import { headAndTail } from '../agent/text.ts';
import { projectJobs } from '../core/rows.ts';
import { oneLine, outcomeText } from '../core/views/jobReport.ts';
import { goalOf } from '../core/views/projects.ts';
import type { JobRow } from '../shared/domain.ts';
import type { ProjectRow } from '../shared/projects.ts';
import type { State } from '../shared/state.ts';

const MOST_JOBS = 12;
const MAX_TEXT = 8_000;
const SHORT_COMMIT = 12;

export interface Completion {
  readonly reason: string;
  readonly by: 'steward' | 'main';
}

/** For `released`, which comes after the project `before`. */
export function releasedText(state: State, before: ProjectRow, released: ProjectRow, given: Completion): string {
  const by = given.by === 'steward' ? 'the steward' : 'the main agent';
  const why = oneLine(given.reason).replace(/\.$/, '');
  const goal = goalOf(before.body);
  const lines = [
    `Project ${before.id} is completed by ${by}${why === '' ? '' : `: ${why}`}. You come after it, and may begin.`,
    ...(goal === '' ? [] : [`- Its goal: ${oneLine(goal)}`]),
    ...jobLines(state, projectJobs(state, before.id)),
    `- Its repository: ${repositoryText(before, released)}`,
    `- ${before.id} takes no more messages. If you need to know more of it, notify the steward and the main agent.`,
  ];
  return headAndTail(lines.join('\n'), MAX_TEXT);
}

function jobLines(state: State, jobs: readonly JobRow[]): string[] {
  if (jobs.length === 0) return ['- It had no jobs.'];
  const more = jobs.length - MOST_JOBS;
  return [
    ...(more > 0 ? [`- ${more} older jobs are not listed.`] : []),
    ...jobs.slice(-MOST_JOBS).map((job) => jobLine(state, job)),
  ];
}

function jobLine(state: State, job: JobRow): string {
  const { id, title, merge } = job;
  const commit = merge?.commit == null ? '' : `, commit ${merge.commit.slice(0, SHORT_COMMIT)}`;
  const undone = merge?.rolledBack === true ? ', rolled back since' : '';
  return `- Job ${id}, ${oneLine(title)}: ${outcomeText(state, job)}${commit}${undone}.`;
}

function repositoryText(before: ProjectRow, released: ProjectRow): string {
  if (before.workdir === released.workdir) return 'the same as yours. Your file tools show it.';
  const where = before.workdir === null ? 'that of the workspace' : before.workdir;
  return `${where}. It is not yours: your file tools cannot read it.`;
}
