/** What a chat prints about projects, open work and questions. */
import { openQuestions } from '../../../core/approval/sameCause.ts';
import { standsStill } from '../../../core/job/view/jobStatus.ts';
import { asItRuns, projectViews, spentToday } from '../../../core/project/projectView.ts';
import { ACTIVE, taskList } from '../../../core/task/view/tasks.ts';
import type { AtWork } from '../../../shared/workspace/atWork.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { aboutText, approvalText } from '../../approval/approvalText.ts';
import { type Context, columns } from '../../screen/context.ts';
import { stillWord } from '../../screen/standing.ts';
import { wayText } from '../../screen/taskText.ts';
import { localDay, plural } from '../../text/format.ts';
import { spentColumns } from '../../text/spentColumns.ts';
import { table } from '../../text/table.ts';
import { visibleLine } from '../../text/visible.ts';
import { howToAnswerHere } from './chatAnswer.ts';

export function projectsText(context: Context, state: State, atWork: AtWork): string {
  const views = projectViews(state, localDay(context.deps.clock))
    .filter(({ status }) => status !== 'archived')
    .map((view) => asItRuns(state, view, atWork));
  const money = spentColumns('TODAY', views.map(spentToday));
  const rows = views.map((view) => [
    visibleLine(view.name),
    view.parked ? 'parked' : view.status,
    view.doing,
    String(view.unread),
    ...money.cells(spentToday(view)),
  ]);
  if (rows.length === 0) return 'There is no project yet.';
  const right = { align: 'right' as const };
  const titles = [
    { title: 'PROJECT', gives: true },
    { title: 'STATUS' },
    { title: 'DOING' },
    { title: 'UNREAD', ...right },
    ...money.columns,
  ];
  return table(titles, rows, columns(context)).join('\n');
}

export function statusText(context: Context, state: State, atWork: AtWork): string {
  const asked = openQuestions(state);
  const open = [...state.jobs.values()].filter(({ ended_at }) => ended_at === null);
  const jobs = open.map((job) => {
    const still = standsStill(job, atWork) ? ` (${stillWord(true)})` : '';
    return `${job.id}  ${job.status}${still}  ${visibleLine(job.title)}`;
  });
  const live = taskList(state, { statuses: ACTIVE }, context.deps.clock.now());
  const tasks = live.map((task) => `${task.id}  ${task.status}  ${wayText(task)}  ${visibleLine(task.name)}`);
  const questions = asked.map(({ row }) => questionText(context, state, row.id));
  const counts = [
    plural(open.length, 'open job'),
    ...(live.length === 0 ? [] : [plural(live.length, 'task')]),
    plural(asked.length, 'question'),
  ];
  return [counts.join(', '), ...jobs, ...tasks, ...questions].join('\n');
}

export function questionText(context: Context, state: State, id: number): string {
  const row = state.approvals.get(id);
  if (row === undefined) return '';
  const job = row.job_id === null ? undefined : state.jobs.get(row.job_id);
  return [
    approvalText(context, row, job),
    ...(job === undefined ? [`  ${aboutText(state, row)}`] : []),
    howToAnswerHere(context, row, state),
  ].join('\n');
}
