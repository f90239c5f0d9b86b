/** Events of questions to the steward. `nextAction` decides the effect of an answer on the loop; this file its effect on a feature or the job. */
import type { ApprovalRow, NewApproval } from '../../../shared/approval.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import { DEFAULT_PROJECT, type ProjectLimits, type ProjectRow } from '../../../shared/project/projects.ts';
import type { EventOf } from '../../../shared/workspace/events.ts';
import type { Change, State } from '../../../shared/workspace/state.ts';
import { askedOf, limitAskedAbout } from '../../approval/about.ts';
import { newApproval, voided } from '../../approval/reduceApprovals.ts';
import { isRaised, PROJECT_LIMITS } from '../../money/limitWords.ts';
import { abandonInterrupted } from '../../state/abandon.ts';
import { APPROVAL, step } from '../../state/machines.ts';
import type { Reducer } from '../../state/reducer.ts';
import { jobApprovals, need, needLive, needNew, projectJobs } from '../../state/rows.ts';
import { stewardAnswers } from '../history/attemptHistory.ts';
import { GAVE_UP, giveUp } from './features.ts';
import { moveJob } from './jobs.ts';

/** Questions about one feature, or one agent's attempt at it. */
const OF_FEATURE: readonly ApprovalRow['kind'][] = ['stuck', 'crashes', 'limit'];

/** The answer to a worker's question is its feedback. A rejection ends the feature, or one agent's attempt if several agents try it. */
function featureChanges(state: State, approval: ApprovalRow, event: EventOf<'approval_decided'>): Change[] {
  if (approval.feature_id === null || !OF_FEATURE.includes(approval.kind)) return [];
  const feature = need(state, 'features', approval.feature_id);
  if (event.decision === 'rejected') {
    const about = (row: { feature_id: number | null }): boolean => row.feature_id === feature.id;
    return [
      { table: 'features', put: giveUp(state, feature, event.feedback, event.at) },
      ...abandonInterrupted(state, about, GAVE_UP, event.at),
    ];
  }
  const answer =
    approval.kind === 'stuck' && event.feedback !== null ? stewardAnswers(event.feedback) : feature.feedback;
  return [{ table: 'features', put: { ...feature, feedback: answer, crash_count: 0 } }];
}

/** Resumes the job if no other question blocks it as a whole. A question about a feature only blocks that feature. */
function jobChanges(
  state: State,
  jobId: string | null,
  answered: ReadonlySet<number>,
  patch: Partial<JobRow> = {},
): Change[] {
  if (jobId === null) return [];
  const job = { ...need(state, 'jobs', jobId), ...patch };
  const open = jobApprovals(state, jobId).some(
    (other) => other.status === 'pending' && other.feature_id === null && !answered.has(other.id),
  );
  if (job.status === 'awaiting_steward' && !open) return [{ table: 'jobs', put: moveJob(job, 'continue') }];
  return Object.keys(patch).length === 0 ? [] : [{ table: 'jobs', put: job }];
}

/** Voids the pending questions that match. The job continues if no other question blocks it. */
export function voidQuestions(
  state: State,
  jobId: string,
  matches: (approval: ApprovalRow) => boolean,
  reason: string,
  at: string,
): Change[] {
  const gone = jobApprovals(state, jobId).filter((row) => row.status === 'pending' && matches(row));
  const answered = new Set(gone.map((row) => row.id));
  return [...gone.map((row) => voided(row, reason, at)), ...jobChanges(state, jobId, answered)];
}

/** Voids the questions of the project's jobs about limits that were raised. */
export function voidRaisedLimits(state: State, before: ProjectRow, limits: ProjectLimits, at: string): Change[] {
  const isSettled = ({ kind, subject }: ApprovalRow): boolean => {
    const name = kind === 'limit' ? PROJECT_LIMITS[limitAskedAbout(subject).limit] : undefined;
    return name !== undefined && isRaised(before.limits[name], limits[name]);
  };
  return projectJobs(state, before.id).flatMap(({ id }) =>
    voidQuestions(state, id, isSettled, 'the limit was raised', at),
  );
}

/** Checks that the subject of the question exists and has not ended. */
function needSubject(state: State, asked: NewApproval): void {
  if (asked.job_id !== null) needLive(state, asked.job_id);
  else need(state, 'projects', asked.project_id ?? DEFAULT_PROJECT);
}

/** Approving to continue without an added setup command removes the command. */
function withoutSetup(state: State, asked: ApprovalRow, decision: string): Partial<JobRow> {
  const about = askedOf(asked);
  if (about.of !== 'failedSetup' || decision !== 'approved' || asked.job_id === null) return {};
  if (about.added === null) return {};
  return { setup_added: need(state, 'jobs', asked.job_id).setup_added.filter((command) => command !== about.added) };
}

export const answerReducers = {
  approval_requested: (state, event) => {
    needSubject(state, event.approval);
    needNew(state, 'approvals', event.approval.id);
    const { approval, checks } = event;
    const changes: Change[] = [{ table: 'approvals', put: newApproval(state, approval, event.at) }];
    if (checks === undefined || approval.job_id === null) return changes;
    const job = need(state, 'jobs', approval.job_id);
    return [...changes, { table: 'jobs', put: { ...job, result_checks: checks } }];
  },
  approval_decided: (state, event) => {
    const approval = need(state, 'approvals', event.id);
    const { decision, choice, feedback, by } = event;
    const status = step(`approval ${approval.id}`, APPROVAL, approval.status, decision);
    const put: ApprovalRow = { ...approval, status, choice, feedback, decided_by: by, decided_at: event.at };
    const changes: Change[] = [
      { table: 'approvals', put },
      ...featureChanges(state, approval, event),
      ...jobChanges(state, approval.job_id, new Set([approval.id]), withoutSetup(state, approval, decision)),
    ];
    // Not `failedSetup`: its detail is output of commands, not a list of commands.
    if (askedOf(approval).of === 'setup' && decision === 'approved') {
      const setup_allowed = [...new Set([...state.meta.setup_allowed, approval.detail])];
      changes.push({ table: 'meta', put: { ...state.meta, setup_allowed } });
    }
    return changes;
  },
  approval_voided: (state, event) => {
    const approval = need(state, 'approvals', event.id);
    // Several may notice that a question is settled.
    if (approval.status === 'void') return [];
    const answered = new Set([approval.id]);
    return [voided(approval, event.reason, event.at), ...jobChanges(state, approval.job_id, answered)];
  },
} satisfies {
  approval_requested: Reducer<'approval_requested'>;
  approval_decided: Reducer<'approval_decided'>;
  approval_voided: Reducer<'approval_voided'>;
};
