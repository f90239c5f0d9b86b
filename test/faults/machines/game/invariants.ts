/** What must hold in every state that the reducer ever leaves behind (R4, R5, R6 of the reliability promises). */

import { jobAsked } from '../../../../src/core/approval/stewardship.ts';
import { MAX_RETRIES } from '../../../../src/core/job/reduce/features.ts';
import { isFinal, JOB } from '../../../../src/core/state/machines.ts';
import type { AttemptRow, FeatureRow, JobRow, PhaseRow } from '../../../../src/shared/job/rows.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';

function must(holds: boolean, rule: string, row: unknown): void {
  if (!holds) throw new Error(`${rule}: ${JSON.stringify(row)}`);
}

const isOpen = (attempt: AttemptRow): boolean => attempt.status === 'running' || attempt.status === 'interrupted';

function jobRules(job: JobRow): void {
  must((job.status === 'waiting') === (job.wake_at !== null), 'a job waits exactly when it has a time to wake', job);
  must(isFinal(JOB, job.status) === (job.ended_at !== null), 'a job has ended exactly when it is final', job);
  must(job.status !== 'running' || job.plan_accepted, 'only a job with a plan runs', job);
  must(job.status !== 'completed' || job.merge !== null, 'a completed job has a result', job);
}

function phaseRules(phase: PhaseRow, job: JobRow): void {
  must(phase.attempt <= job.options.maxPhaseAttempts, 'a phase has no more attempts than allowed', phase);
  must(phase.attempt >= 1, 'a phase starts with its first attempt', phase);
  must((phase.status === 'completed') === (phase.completed_at !== null && phase.status !== 'failed'), 'ends', phase);
  const over = isFinal(JOB, job.status);
  must(!over || (phase.status !== 'executing' && phase.status !== 'reviewing'), 'a final job has no open phase', phase);
  must(phase.status !== 'failed' || over, 'a phase fails with its job', phase);
}

function featureRules(state: State, feature: FeatureRow, worked: ReadonlySet<number>): void {
  const job = feature.job_id === null ? undefined : state.jobs.get(feature.job_id);
  if (job === undefined) return;
  const ended = feature.status === 'completed' || feature.status === 'failed';
  must(
    ended === (feature.completed_at !== null),
    'a feature has ended exactly when it is completed or failed',
    feature,
  );
  must((feature.status === 'failed') === (feature.failure_reason !== null), 'a failure has a reason', feature);
  must(feature.retry_count <= (job.options.maxRetries ?? MAX_RETRIES), 'retries stay within the limit', feature);
  must((feature.status === 'in_progress') === worked.has(feature.id), 'in progress is what is worked on', feature);
  const phase = state.phases.get(feature.phase_id ?? 0);
  must(phase !== undefined, 'a feature of a job is in a phase', feature);
  must(phase?.status !== 'completed' || ended, 'a completed phase has nothing left to do', feature);
  candidateRules(state, feature, job);
}

function candidateRules(state: State, feature: FeatureRow, job: JobRow): void {
  const { candidates, executors, status } = feature;
  if (candidates.length === 0) return;
  must(candidates.length <= (executors?.length ?? 0), 'each executor tries it once', feature);
  must(status === 'pending' || status === 'in_progress', 'results lie side by side until one is picked', feature);
  for (const [index, id] of candidates.entries()) {
    const attempt = state.attempts.get(id);
    must(attempt !== undefined && !isOpen(attempt), 'a result is there, or its try was given up', attempt);
    const isResult = attempt?.status === 'succeeded' || attempt?.status === 'failed';
    must(!isResult || attempt.base_commit === job.head, 'results side by side are on the tree that counts', {
      attempt,
      job,
    });
    const by = state.sessions.get(attempt?.session_id ?? 0)?.executor;
    must(by === executors?.[index], 'each executor made its own result', { by, feature });
  }
}

function openAttempts(state: State): Set<number> {
  const worked = new Set<number>();
  const jobs = new Set<string>();
  for (const attempt of state.attempts.values()) {
    must((attempt.ended_at === null) === isOpen(attempt), 'an attempt has ended exactly when it is not open', attempt);
    if (!isOpen(attempt)) continue;
    must(!jobs.has(attempt.job_id), 'a job has at most one open attempt', attempt);
    jobs.add(attempt.job_id);
    const job = state.jobs.get(attempt.job_id);
    must(job !== undefined && !isFinal(JOB, job.status), 'a final job has no open attempt', attempt);
    must(state.sessions.get(attempt.session_id)?.status === 'running', 'an open attempt has its session', attempt);
    if (attempt.feature_id !== null) worked.add(attempt.feature_id);
  }
  return worked;
}

function approvalRules(state: State): void {
  const subjects = new Set<string>();
  for (const approval of state.approvals.values()) {
    must((approval.status === 'pending') === (approval.decided_at === null), 'an answer has a time', approval);
    if (approval.status !== 'pending') continue;
    const job = jobAsked(state, approval);
    must(job !== undefined && !isFinal(JOB, job.status), 'a final job asks nothing', approval);
    must(!subjects.has(approval.subject), 'nothing is asked twice at a time', approval);
    subjects.add(approval.subject);
    const feature = approval.feature_id === null ? undefined : state.features.get(approval.feature_id);
    const alive = feature?.status === 'pending' || feature?.status === 'in_progress';
    must(approval.feature_id === null || alive, 'a question is about a feature that can still be done', approval);
  }
}

/** Throws an Error that names the broken rule and the row. */
export function checkLegal(state: State): void {
  const worked = openAttempts(state);
  for (const job of state.jobs.values()) jobRules(job);
  for (const phase of state.phases.values()) {
    const job = state.jobs.get(phase.job_id);
    if (job !== undefined) phaseRules(phase, job);
  }
  for (const feature of state.features.values()) featureRules(state, feature, worked);
  for (const session of state.sessions.values()) {
    must((session.status === 'running') === (session.ended_at === null), 'a session has ended or runs', session);
    const job = session.job_id === null ? undefined : state.jobs.get(session.job_id);
    must(
      session.status !== 'running' || job === undefined || !isFinal(JOB, job.status),
      'no session outlives its job',
      session,
    );
  }
  approvalRules(state);
}
