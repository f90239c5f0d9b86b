/** Reports the result of a job in full, as lines of text for its project, the main agent and the memory. */
import type { ApprovalRow } from '../../../shared/approval.ts';
import { BRIEF_ADDITION } from '../../../shared/job/jobTool.ts';
import type { AttemptRow, FeatureRow, JobRow, JobStatus, PhaseRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { spentBy, spentText } from '../../money/view/spent.ts';
import { jobApprovals, jobFeatures, jobPhases } from '../../state/rows.ts';
import { asksToAccept, takenFailure, takenText } from '../gate/acceptResult.ts';
import { reasonForAgents, saysWhoStopped } from '../jobStops.ts';
import { JOB_CANCELLED } from '../reduce/closeJob.ts';

const MAX_TEXT = 600;
const SHORT_COMMIT = 12;

export const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT)}…`;
};

export const reasonText = (reason: string): string => oneLine(reasonForAgents(reason));

/** A sentence without its full stop, e.g. `it completed, and its result was merged into main`, `it was cancelled by the steward`. */
export function outcomeText(state: State, job: JobRow): string {
  const { status, reason } = job;
  const failing = takenFailure(state, job) === null ? '' : ', although a verify command fails on the result';
  const ended = `${STATUS_SENTENCES[status]}${resultText(job)}${failing}`;
  if (reason === null) return ended;
  const why = reasonText(reason).replace(/\.$/, '');
  return saysWhoStopped(status, why) ? `it was ${why}` : `${ended}: ${why}`;
}

const STATUS_SENTENCES: Readonly<Record<JobStatus, string>> = {
  planning: 'it is being planned',
  running: 'it is running',
  awaiting_steward: 'it waits for the steward',
  paused: 'it is paused',
  waiting: 'it is waiting',
  completed: 'it completed',
  failed: 'it failed',
  cancelled: 'it was cancelled',
};

function resultText({ merge }: JobRow): string {
  if (merge === null) return '';
  const { mode, target } = merge;
  if (mode === 'merge') return `, and its result was merged into ${target}`;
  return mode === 'branch' ? `, and its result is on the branch ${target}` : `, and its result is the patch ${target}`;
}

/** Lines in the form of a list. `state` must contain the rows of the job. */
export function jobReport(state: State, job: JobRow): string[] {
  const brief = oneLine(job.brief.replaceAll(BRIEF_ADDITION, ' (added by the project) '));
  return [`- Asked: ${brief}`, ...report(state, job, { isOnce: false })];
}

/** The report for a project that knows the job: no brief, and the workers' reports only of a phase that has no summary. */
export function endReport(state: State, job: JobRow): string[] {
  return report(state, job, { isOnce: true });
}

interface ReportOptions {
  /** Whether a summary of a phase takes the place of the workers' reports. */
  readonly isOnce: boolean;
}

function report(state: State, job: JobRow, options: ReportOptions): string[] {
  const taken = takenFailure(state, job);
  return [
    ...commitLines(job),
    ...(taken === null ? [] : [`- Verify: ${oneLine(takenText(taken))}`]),
    ...phaseLines(state, job, options),
    ...refusalLines(state, job),
    costLine(state, job),
  ].map((line) => line.trimEnd());
}

/** The report of a cancelled job for a project that knows of the cancellation: no brief, and one line for each fact. */
export function shortReport(state: State, job: JobRow): string[] {
  return [...commitLines(job), costLine(state, job)];
}

/** Empty while the job's branch contains only its baseline. */
function commitLines({ merge, head, baseline }: JobRow): string[] {
  const commit = merge?.commit ?? (head === baseline ? null : head);
  if (commit === null) return [];
  const note = merge?.rolledBack === true ? ', rolled back since' : merge === null ? ', not merged' : '';
  return [`- Commit: ${commit.slice(0, SHORT_COMMIT)}${note}`];
}

/** For a cancelled job, remaining work is not a failure. */
const UNFINISHED = 'not finished';

function phaseStatus({ status, error_message }: PhaseRow, job: JobRow): string {
  const isLeft = status === 'pending' || error_message === JOB_CANCELLED;
  return job.status === 'cancelled' && isLeft ? UNFINISHED : status;
}

function phaseLines(state: State, job: JobRow, { isOnce }: ReportOptions): string[] {
  const features = jobFeatures(state, job.id);
  return jobPhases(state, job.id).flatMap((phase) => {
    const summary = oneLine(phase.summary ?? '');
    const isReported = !isOnce || summary === '';
    return [
      `- Phase ${phase.number}, ${oneLine(phase.title)}: ${phaseStatus(phase, job)}. ${summary}`,
      ...features.filter((row) => row.phase_id === phase.id).map((row) => featureLine(state, row, job, isReported)),
    ];
  });
}

function featureLine(state: State, feature: FeatureRow, job: JobRow, isReported: boolean): string {
  const { id, name, failure_reason: why } = feature;
  const isLeft = job.status === 'cancelled' && feature.status === 'pending';
  const status = isLeft ? UNFINISHED : feature.status;
  const attempts = [...state.attempts.values()].filter((row) => row.feature_id === id);
  const last = attempts.findLast((row) => row.status === 'succeeded') ?? attempts.at(-1);
  const tries = attempts.length > 1 ? `, ${attempts.length} attempts` : '';
  const reason = why === null ? '' : ` (${oneLine(why)})`;
  const said = !isReported || last?.summary == null ? '' : `. Reported: ${oneLine(last.summary)}`;
  return `  - Feature ${oneLine(name)}: ${status}${reason}${tries}${changedText(last)}${said}`;
}

function changedText(attempt: AttemptRow | undefined): string {
  if (attempt?.changed == null) return '';
  const { files, added, removed } = attempt.changed;
  return `, ${files} file${files === 1 ? '' : 's'} changed (+${added} -${removed})`;
}

/** Rejections by a reviewer or the steward, with the feedback, and the limits that were reached. */
function refusalLines(state: State, job: JobRow): string[] {
  const { id } = job;
  const taken = takenFailure(state, job)?.question;
  const reviews = [...state.attempts.values()].filter(
    (row) => row.job_id === id && row.feature_id === null && row.verdict?.verdict === 'REJECTED',
  );
  const asked = jobApprovals(state, id);
  return [
    ...reviews.map(
      ({ verdict }) => `- The reviewer rejected a phase: ${oneLine(verdict?.feedback || verdict?.reason || '')}`,
    ),
    ...asked.filter(({ status }) => status === 'rejected').map(rejectionLine),
    ...asked
      .filter((row) => row.status === 'approved' && asksToAccept(row) && row.id !== taken)
      .map(
        ({ question, feedback }) =>
          `- The steward took a failing result: ${oneLine(question)} ${oneLine(feedback ?? '')}`,
      ),
    ...asked.filter(({ kind }) => kind === 'limit').map(({ question }) => `- Limit reached: ${oneLine(question)}`),
  ];
}

function rejectionLine({ kind, question, feedback }: ApprovalRow): string {
  const why = feedback === null || feedback.trim() === '' ? '' : ` Feedback: ${oneLine(feedback)}`;
  return `- The steward rejected (${kind}): ${oneLine(question)}${why}`;
}

const costLine = (state: State, { id }: JobRow): string =>
  `- Cost: ${spentText(spentBy([...state.spends.values()].filter(({ job_id }) => job_id === id)), (usd) => `$${usd.toFixed(4)}`)}`;

/** The newest plan of a job, accepted or pending. Null if there is none. */
export function planText(state: State, job: JobRow): string | null {
  const row = [...state.plans.values()].filter(({ job_id }) => job_id === job.id).at(-1);
  if (row === undefined) return null;
  const heading = `Plan, version ${row.version}, ${job.plan_accepted ? 'accepted' : 'not accepted yet'}: ${oneLine(row.plan.title)}`;
  const { questions = [], setup = [], assumptions = [] } = row.plan;
  const carried = [
    ...questions.map((text) => `- Question to the steward: ${oneLine(text)}`),
    ...setup.map((command) => `- Setup command: ${oneLine(command)}`),
    ...assumptions.map((text) => `- Assumption: ${oneLine(text)}`),
  ];
  const phases = row.plan.phases.flatMap(({ title, objective, verify_commands, features }, index) => [
    `${index + 1}. ${oneLine(title)}: ${oneLine(objective)}`,
    ...features.map(({ name, description }) => `   - ${oneLine(name)}: ${oneLine(description)}`),
    ...(verify_commands.length === 0 ? [] : [`   Verified by: ${oneLine(verify_commands.join('; '))}`]),
  ]);
  return [heading, ...carried, ...phases].join('\n');
}
