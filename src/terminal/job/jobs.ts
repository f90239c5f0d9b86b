/** `jobs` and `job show`: jobs and their state. */

import { type JobSummary, jobSummary } from '../../core/job/view/job.ts';
import { isAtWork, standsStill } from '../../core/job/view/jobStatus.ts';
import { timeline } from '../../core/job/view/timeline.ts';
import { jobApprovals } from '../../core/state/rows.ts';
import { approvalText, howToAnswer } from '../approval/approvalText.ts';
import { type Context, columns, command, findJob, print, type ReadOwned, readOwned } from '../screen/context.ts';
import { awakeLines, stillLines, stillWord } from '../screen/standing.ts';
import { waitLines } from '../screen/waiting.ts';
import { moment } from '../text/format.ts';
import { spentColumns } from '../text/spentColumns.ts';
import { table } from '../text/table.ts';
import { visibleLine } from '../text/visible.ts';
import { runSummary } from './run/runSummary.ts';
import { timelineText } from './timelineText.ts';

type Owned = Pick<ReadOwned, 'owned' | 'atWork'>;

export async function jobsVerb(context: Context): Promise<number> {
  const { state, owned, atWork } = await readOwned(context);
  const jobs = [...state.jobs.keys()].map((id) => jobSummary(state, id));
  const selected = jobs.length === 0 ? null : findJob(context, state, undefined).id;
  const text = context.json ? '' : jobsText(context, jobs, selected, { owned, atWork });
  print(context, { owned, atWork: atWork.jobs, awake: atWork.awake ?? null, selected, jobs }, text);
  return 0;
}

function jobsText(
  context: Context,
  jobs: readonly JobSummary[],
  selected: string | null,
  { owned, atWork }: Owned,
): string {
  if (jobs.length === 0) return `No job yet. File a brief: ${command(context, 'run "…"')}`;
  const money = spentColumns('COST', jobs, true);
  const rows = jobs.map((job) => [
    job.id === selected ? '*' : '',
    job.id,
    standsStill(job, atWork) ? `${statusOf(job)} (${stillWord(owned)})` : statusOf(job),
    `${job.features.completed}/${job.features.total}`,
    ...money.cells(job),
    moment(job.createdAt, context.deps.clock),
    visibleLine(job.title),
  ]);
  const lines = table(
    [
      { title: '' },
      { title: 'JOB' },
      { title: 'STATUS' },
      { title: 'FEATURES', align: 'right', optional: true },
      ...money.columns,
      { title: 'FILED', optional: true },
      { title: 'TITLE', gives: true },
    ],
    rows,
    columns(context),
  );
  const still = jobs.some((job) => standsStill(job, atWork));
  const waits = jobs.map((job) => ({ subject: subjectOf(job), waiting: job.waiting }));
  return [...lines, ...waitLines(context, waits), ...stillLines(context, still), ...awakeLines(atWork)].join('\n');
}

const subjectOf = ({ id, projectId }: JobSummary) => ({ of: 'job', id, projectId }) as const;

/** A job that some call keeps from moving does not run. */
const statusOf = ({ status, waiting }: JobSummary): string =>
  waiting !== null && isAtWork({ status }) ? 'waiting' : status;

export async function jobShowVerb(context: Context, id: string | undefined): Promise<number> {
  const { state, owned, atWork } = await readOwned(context);
  const job = findJob(context, state, id);
  if (context.json) {
    const { brief, options } = job;
    const shown = { ...jobSummary(state, job.id), brief, options, timeline: timeline(state, job) };
    print(context, { owned, atWork: atWork.jobs, job: shown }, '');
    return 0;
  }
  const asked = jobApprovals(state, job.id).filter((row) => row.status === 'pending');
  const questions = asked.map(
    (row) => `${approvalText(context, row, job, state)}\n${howToAnswer(context, row, state)}`,
  );
  const drawn = timeline(state, job);
  const parts = [
    runSummary(context, state, job.id, { looked: { owned, atWork } }),
    ...(drawn === null ? [] : [timelineText(drawn, columns(context)).join('\n')]),
    ...questions,
  ];
  print(context, {}, parts.join('\n\n'));
  return 0;
}
