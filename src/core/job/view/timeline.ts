/** Derives the timeline of a job that has ended: who worked when, and what it waited for. */
import type { ApprovalRow } from '../../../shared/approval.ts';
import type { AttemptRow, FeatureRow, JobRow } from '../../../shared/job/rows.ts';
import type { Timeline, TimelineRow, TimelineSpan } from '../../../shared/job/timeline.ts';
import type { Role, WorkPeriod } from '../../../shared/session.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { isFinal, JOB } from '../../state/machines.ts';
import { jobApprovals, jobFeatures, jobPhases, laneOf, phaseReviews } from '../../state/rows.ts';
import { lanesOf } from '../lanes.ts';
import { type Axis, axisOf } from './timeAxis.ts';

type Span = Pick<TimelineSpan, 'kind' | 'from' | 'to'>;
type Row = Omit<TimelineRow, 'spans'> & { readonly spans: readonly Span[] };

/** The timelines of ended jobs, whose rows of work do not change any more. */
const known = new WeakMap<JobRow, { readonly state: State; readonly drawn: Timeline | null }>();

/** Null while the job has not ended, and for a job without any work. */
export function timeline(state: State, job: JobRow): Timeline | null {
  const before = known.get(job);
  if (before?.state === state) return before.drawn;
  const drawn = draw(state, job);
  if (isFinal(JOB, job.status)) known.set(job, { state, drawn });
  return drawn;
}

function draw(state: State, job: JobRow): Timeline | null {
  if (!isFinal(JOB, job.status) || job.ended_at === null) return null;
  const to = job.ended_at;
  const rows = [
    planning(state, job, to),
    ...features(state, job, to),
    ...reviews(state, job, to),
    asked(state, job, to),
  ]
    .map((row) => ({ ...row, spans: row.spans.filter((span) => span.from < span.to) }))
    .filter(({ spans }) => spans.length > 0);
  const busy = rows.flatMap(({ spans }) => spans).filter(({ kind }) => kind === 'work' || kind === 'queue');
  if (busy.length === 0) return null;
  const axis = axisOf(job.created_at, to, busy);
  return { from: job.created_at, to, rows: rows.map((row) => placed(row, axis)), breaks: axis.breaks };
}

function placed(row: Row, { place }: Axis): TimelineRow {
  const spans = row.spans.map((span) => ({ ...span, ...place(span) }));
  return { ...row, spans: spans.sort((a, b) => (a.from < b.from ? -1 : 1)) };
}

const NO_FEATURE = { name: '', lanes: [], returns: 0, isCompleted: null } as const;

const work = ([from, to]: WorkPeriod): Span => ({ kind: 'work', from, to });

function sessionWork(state: State, job: JobRow, role: Role, phaseId: number | null, end: string): Span[] {
  return [...state.sessions.values()]
    .filter((row) => row.job_id === job.id && row.role === role && row.parent_id === null && row.attempt_id === null)
    .filter((row) => phaseId === null || row.phase_id === phaseId)
    .flatMap((row) => (row.periods.length > 0 ? row.periods : [[row.started_at, row.ended_at ?? end] as const]))
    .map(work);
}

function planning(state: State, job: JobRow, end: string): Row {
  return { of: 'planner', ...NO_FEATURE, spans: sessionWork(state, job, 'planner', null, end) };
}

function asked(state: State, job: JobRow, end: string): Row {
  const ofJob = jobApprovals(state, job.id).filter((row) => row.feature_id === null && isOfPerson(row));
  return { of: 'steward', ...NO_FEATURE, spans: united(ofJob.map((row) => question(row, end))) };
}

/** Answers of a flag, a rule or the demo take no time of a person. */
const isOfPerson = ({ decided_by }: ApprovalRow): boolean => decided_by === null || decided_by === 'steward';

const question = (row: { readonly requested_at: string; readonly decided_at: string | null }, end: string): Span => ({
  kind: 'asked',
  from: row.requested_at,
  to: row.decided_at ?? end,
});

/** In the order of their first attempts. */
function features(state: State, job: JobRow, end: string): Row[] {
  const attempts = Map.groupBy(state.attempts.values(), (row) => row.feature_id);
  const questions = Map.groupBy(jobApprovals(state, job.id), (row) => row.feature_id);
  const started = jobFeatures(state, job.id).flatMap((feature) => {
    const own = attempts.get(feature.id) ?? [];
    return own.length === 0 ? [] : [{ feature, own, first: own[0]?.started_at ?? '' }];
  });
  started.sort((a, b) => (a.first < b.first ? -1 : 1));
  return started.map(({ feature, own }) => featureRow(job, feature, own, questions.get(feature.id) ?? [], end));
}

function featureRow(
  job: JobRow,
  feature: FeatureRow,
  attempts: readonly AttemptRow[],
  questions: readonly ApprovalRow[],
  end: string,
): Row {
  const waits = united(questions.map((row) => question(row, end)));
  const lanes = new Set(attempts.map((attempt) => laneOf(attempt) + 1));
  return {
    of: 'feature',
    name: feature.name,
    lanes: lanesOf(job) === 1 && Math.max(...lanes) === 1 ? [] : [...lanes].sort((a, b) => a - b),
    returns: attempts.reduce((sum, attempt) => sum + attempt.returns.length, 0),
    isCompleted: feature.status === 'completed',
    spans: [
      ...attempts.flatMap((attempt) => attemptSpans(attempt, end)).flatMap((span) => without(span, waits)),
      ...waits,
    ],
  };
}

function reviews(state: State, job: JobRow, end: string): Row[] {
  return jobPhases(state, job.id).map((phase) => ({
    of: 'reviewer',
    ...NO_FEATURE,
    name: phase.title,
    spans: [
      ...phaseReviews(state, phase.id).flatMap((attempt) => attemptSpans(attempt, end)),
      ...sessionWork(state, job, 'summarizer', phase.id, end),
    ],
  }));
}

/** Its work, and what is between: a time in the merge queue ends with a return or the merge. */
function attemptSpans(attempt: AttemptRow, end: string): Span[] {
  const over = attempt.ended_at ?? end;
  const periods = attempt.periods.length > 0 ? attempt.periods : [[attempt.started_at, over] as const];
  return periods.flatMap((period, index) => {
    const [, rested] = period;
    const next = periods[index + 1]?.[0];
    return [work(period), ...between(attempt, rested, next ?? over, next === undefined)];
  });
}

function between({ returns, status }: AttemptRow, from: string, to: string, isLast: boolean): Span[] {
  const returned = returns.find(({ at }) => from <= at && at <= to)?.at;
  if (returned !== undefined)
    return [
      { kind: 'queue', from, to: returned },
      { kind: 'rest', from: returned, to },
    ];
  return [{ kind: isLast && status === 'succeeded' ? 'queue' : 'rest', from, to }];
}

/** Overlapping spans as one. All have the same kind. */
function united(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of [...spans].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = all.at(-1);
    if (last === undefined || last.to < span.from) all.push(span);
    else if (last.to < span.to) all[all.length - 1] = { ...last, to: span.to };
  }
  return all;
}

/** The parts of a span outside the others, which are in order and do not overlap. */
function without(span: Span, others: readonly Span[]): Span[] {
  const parts: Span[] = [];
  let { from } = span;
  for (const other of others) {
    if (other.to <= from || other.from >= span.to) continue;
    if (from < other.from) parts.push({ ...span, from, to: other.from });
    from = other.to;
  }
  return from < span.to ? [...parts, { ...span, from }] : parts;
}
