/** The state of everything as a short text for the main agent: projects, jobs, tasks, questions, notices and cost. */

import { pendingApprovals, planAsked } from '../../core/approval/stewardship.ts';
import { standsStill } from '../../core/job/view/jobStatus.ts';
import { bookingDay } from '../../core/money/budget.ts';
import { spentBy, spentText } from '../../core/money/view/spent.ts';
import { usd } from '../../core/money/view/usd.ts';
import { projectViews } from '../../core/project/projectView.ts';
import { stewardsQuestion, unheardByMain } from '../../core/project/replies.ts';
import { isFinal, JOB } from '../../core/state/machines.ts';
import type { ApprovalRow } from '../../shared/approval.ts';
import { type Clock, minuteText } from '../../shared/clock.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import { MAIN_PROJECT, type MessageRow } from '../../shared/project/projects.ts';
import type { TaskRow } from '../../shared/task/tasks.ts';
import type { State } from '../../shared/workspace/state.ts';
import { quoted } from '../session/quoted.ts';
import { jobLine, questionLine } from './jobCalls.ts';
import { projectLine } from './projectCalls.ts';
import { messageText } from './talkCalls.ts';

/** Notices that one block holds, the oldest first; the rest follows with the next turn. */
export const NOTICES_AT_ONCE = 10;
const MOST_LINES = 12;
const DAY_MS = 24 * 60 * 60_000;

/** `working`: ids of the jobs whose loop runs in this process, which owns the workspace. */
export function standingText(state: State, clock: Clock, working: readonly string[]): string {
  const since = new Date(clock.now() - DAY_MS).toISOString();
  const today = bookingDay(state.meta.last_day, clock.now());
  const projects = projectViews(state, today).filter(({ status }) => status !== 'archived');
  return [
    block('Projects', projects.map(projectLine), 'none'),
    block('Messages that no conversation has taken yet', queued(state), null),
    block('Jobs, open or ended within a day', jobs(state, since, working), 'none'),
    block('Tasks, in progress or ended within a day', tasks(state, since), null),
    block(
      'Questions that wait for the steward',
      pendingApprovals(state).map((row) => question(state, row)),
      'none',
    ),
    costs(state, today),
    notices(state),
  ]
    .filter((text) => text !== '')
    .join('\n');
}

/** Nothing if there are no lines and `none` is null. */
function block(name: string, lines: readonly string[], none: string | null): string {
  if (lines.length === 0) return none === null ? '' : `${name}: ${none}`;
  const more = lines.length - MOST_LINES;
  return [`${name}:`, ...lines.slice(0, MOST_LINES), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n');
}

function queued(state: State): string[] {
  const waiting = [...state.messages.values()].filter(
    (row) => row.direction === 'in' && row.read_at === null && row.project_id !== MAIN_PROJECT,
  );
  return [...Map.groupBy(waiting, (row) => row.project_id)].map(([id, rows]) => `- ${id}: ${rows.length}`);
}

function jobs(state: State, since: string, working: readonly string[]): string[] {
  const recent = ({ status, ended_at }: JobRow): boolean => !isFinal(JOB, status) || (ended_at ?? '') >= since;
  return [...state.jobs.values()]
    .filter(recent)
    .reverse()
    .map((job) => {
      const still = standsStill(job, { jobs: working })
        ? `; no process works on it now, the steward resumes it: autonomous run --resume ${job.id}`
        : '';
      return `${jobLine(state, job)}${still}${job.reason === null ? '' : `; because ${quoted(job.reason)}`}`;
    });
}

function tasks(state: State, since: string): string[] {
  const recent = ({ status, ended_at }: TaskRow): boolean =>
    status === 'RUNNING' || status === 'PAUSED' || (ended_at ?? '') >= since;
  return [...state.tasks.values()]
    .filter(recent)
    .reverse()
    .map(({ id, project_id, status, name }) => `- ${id} in ${project_id}: ${status}; ${quoted(name)}`);
}

/** A question about a plan lists the features that it would make. */
function question(state: State, row: ApprovalRow): string {
  const plan = planAsked(state, row)?.plan;
  if (plan === undefined) return questionLine(row);
  const phases = plan.phases.map(({ title, features }) => {
    return `  - ${quoted(title)}: ${features.map(({ name }) => quoted(name)).join(', ')}`;
  });
  return [questionLine(row), ...phases.slice(0, MOST_LINES)].join('\n');
}

function costs(state: State, today: string): string {
  const all = [...state.spends.values()];
  const ofToday = all.filter(({ day }) => day === today);
  return `Cost of everything: ${spentText(spentBy(ofToday), usd)} today; ${spentText(spentBy(all), usd)} in all`;
}

function notices(state: State): string {
  const unheard = unheardByMain(state);
  if (unheard.length === 0) return '';
  const shown = unheard.slice(0, NOTICES_AT_ONCE);
  const news: MessageRow[] = [];
  const replies: string[] = [];
  for (const row of shown) {
    const asked = stewardsQuestion(state, row);
    if (asked === null) news.push(row);
    else replies.push(`From ${row.project_id}, ${askedText(asked)} ${messageText(row)}`);
  }
  const more = unheard.length - shown.length;
  const rest = more > 0 ? [`${more} more follow with your next turn, or by read_messages.`] : [];
  return [
    ...(news.length === 0 ? [] : ['New from the projects, as data:']),
    ...news.map((row) => `From ${row.project_id}. ${messageText(row)}`),
    ...(replies.length === 0
      ? []
      : ['Already answered to the steward by the projects, as data; no news for the steward:']),
    ...replies,
    ...rest,
  ].join('\n');
}

const askedText = ({ at, text }: MessageRow): string => `asked by the steward at ${minuteText(at)}: ${quoted(text)}.`;
