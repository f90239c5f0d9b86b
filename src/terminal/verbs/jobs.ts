/** `jobs` and `job show`: what there is and how it stands. */

import { jobApprovals } from '../../core/rows.ts';
import { type JobSummary, jobSummary } from '../../core/views/job.ts';
import { approvalText, howToAnswer } from '../approvalText.ts';
import { type Context, columns, command, findJob, print, readOwned } from '../context.ts';
import { closing } from '../run/closing.ts';
import { moment } from '../text/format.ts';
import { spentColumns } from '../text/spentColumns.ts';
import { standsStill, stillLines, withOwner } from '../text/standing.ts';
import { table } from '../text/table.ts';
import { visibleLine } from '../text/visible.ts';

export async function jobsVerb(context: Context): Promise<number> {
  const { state, owned } = await readOwned(context);
  const jobs = [...state.jobs.keys()].map((id) => jobSummary(state, id));
  const selected = jobs.length === 0 ? null : findJob(context, state, undefined).id;
  print(context, { owned, selected, jobs }, context.json ? '' : jobsText(context, jobs, selected, owned));
  return 0;
}

function jobsText(context: Context, jobs: readonly JobSummary[], selected: string | null, owned: boolean): string {
  if (jobs.length === 0) return `No job yet. File a brief: ${command(context, 'run "…"')}`;
  const money = spentColumns('COST', jobs, true);
  const rows = jobs.map((job) => [
    job.id === selected ? '*' : '',
    job.id,
    withOwner(job.status, standsStill(job.status, owned)),
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
  const still = jobs.some((job) => standsStill(job.status, owned));
  return [...lines, ...stillLines(context, still)].join('\n');
}

export async function jobShowVerb(context: Context, id: string | undefined): Promise<number> {
  const { state, owned } = await readOwned(context);
  const job = findJob(context, state, id);
  if (context.json) {
    print(context, { owned, job: { ...jobSummary(state, job.id), brief: job.brief, options: job.options } }, '');
    return 0;
  }
  const asked = jobApprovals(state, job.id).filter((row) => row.status === 'pending');
  const questions = asked.map(
    (row) => `${approvalText(context, row, job, state)}\n${howToAnswer(context, row, state)}`,
  );
  print(context, {}, [closing(context, state, job.id, { owned }), ...questions].join('\n\n'));
  return 0;
}
