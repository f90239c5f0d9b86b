/** Events of a job's life but its plan. */
import type { ApprovalRow } from '../../../shared/approval.ts';
import { failure } from '../../../shared/errors.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { EventOf } from '../../../shared/workspace/events.ts';
import type { Change, State } from '../../../shared/workspace/state.ts';
import { approvalOn } from '../../approval/about.ts';
import { newApproval } from '../../approval/reduceApprovals.ts';
import { refusalOf } from '../../approval/refusals.ts';
import { waitCodeOf, waitSince } from '../../money/callWait.ts';
import { APPROVAL, isFinal, JOB, type JobTrigger, PHASE, step } from '../../state/machines.ts';
import type { Reducer } from '../../state/reducer.ts';
import { jobApprovals, jobFeatures, jobPhases, need, needLive, needNew } from '../../state/rows.ts';
import { isAlone, rested } from '../../state/workTime.ts';
import { acceptance, asksToAccept } from '../gate/acceptResult.ts';
import { withEarlierPlan } from '../plan/amendedPlan.ts';
import { checksAfterSetup } from '../result/baseline.ts';
import { hasPassed } from '../view/freshRun.ts';
import { closeJob, failPhases, JOB_CANCELLED } from './closeJob.ts';
import { type AskedFix, newFixFeature } from './features.ts';
import { givenAway } from './givenAway.ts';

/** The job after a trigger of its machine. */
export function moveJob(job: JobRow, trigger: JobTrigger, patch: Partial<JobRow> = {}): JobRow {
  const target = step(`job ${job.id}`, JOB, job.status, trigger);
  const work = job.plan_accepted || patch.plan_accepted === true ? 'running' : 'planning';
  // A retry in between does not end the wait: an answered call does.
  const wait = trigger === 'wake' ? job.wait : null;
  return { ...job, reason: null, wake_at: null, wait, ...patch, status: target === 'work' ? work : target };
}

const put = (job: JobRow): Change => ({ table: 'jobs', put: job });

/** The job stops working, for now. A session with an attempt rests with the attempt's own events. */
function standstill(state: State, event: { readonly job_id: string; readonly at: string }): Change[] {
  return [...state.sessions.values()]
    .filter((row) => row.job_id === event.job_id && isAlone(row) && row.active_since !== null)
    .map((row) => ({ table: 'sessions', put: rested(row, event.at) }));
}

/** Moves the feature from the backlog to the job. Its notes are part of the change, so that the job's thread gets them as well. */
function takeFromBacklog(state: State, featureId: number, jobId: string): Change[] {
  const feature = need(state, 'features', featureId);
  if (feature.job_id !== null || feature.status !== 'pending')
    throw failure('ILLEGAL_TRANSITION', `feature ${featureId} is no longer in the backlog`);
  const notes = [...state.notes.values()].filter((note) => note.feature_id === featureId);
  return [
    { table: 'features', put: { ...feature, job_id: jobId } },
    ...notes.map((note): Change => ({ table: 'notes', put: note })),
  ];
}

/** A rejection is used once: if the same question comes up later, it is asked again. */
function usedRefusals(state: State, jobId: string, isUsed: (row: ApprovalRow) => boolean): Change[] {
  return jobApprovals(state, jobId)
    .filter((row) => row.status === 'rejected' && isUsed(row))
    .map((row) => ({
      table: 'approvals',
      put: { ...row, status: step(`approval ${row.id}`, APPROVAL, row.status, 'void') },
    }));
}

/** Repeats the last phase with a fix feature, because the result is not accepted. */
function onceMore(state: State, job: JobRow, fix: AskedFix): Change[] {
  const last = jobPhases(state, job.id).findLast((phase) => phase.status === 'completed');
  if (last === undefined) throw failure('ILLEGAL_TRANSITION', `job ${job.id} has no completed phase to continue with`);
  return [
    {
      table: 'phases',
      put: {
        ...last,
        status: step(`phase ${last.id}`, PHASE, last.status, 'reopen'),
        attempt: 1,
        feedback: fix.feedback,
        summary_attempt: 0,
        review_attempt: null,
        completed_at: null,
      },
    },
    { table: 'features', put: newFixFeature(state, last, fix) },
  ];
}

/** The folded head has the tree that was verified, so it counts as verified. */
function verified(state: State, job: JobRow, { commit, folded }: EventOf<'result_verified'>): Change[] {
  const passed = { ...job, result_failed: [] };
  if (folded == null) return [put({ ...passed, verified: commit, result_passed: commit })];
  const to = new Map(folded.moved.map((one) => [one.from, one.to]));
  const features = jobFeatures(state, job.id).flatMap((feature): Change[] => {
    const moved = feature.commit === null ? undefined : to.get(feature.commit);
    return moved === undefined ? [] : [{ table: 'features', put: { ...feature, commit: moved } }];
  });
  const { head } = folded;
  return [put({ ...passed, head, verified: head, result_passed: head }), ...features];
}

export const jobReducers = {
  brief_submitted: (state, event) => {
    const {
      id,
      project_id,
      title,
      brief,
      repository = null,
      options,
      job_dir,
      branch,
      backlog = [],
      amends,
    } = event.job;
    needNew(state, 'jobs', id);
    const { status } = need(state, 'projects', project_id);
    // The project may have ended after the brief was checked: the job would never start.
    if (status !== 'active') {
      throw failure('ILLEGAL_TRANSITION', `project ${project_id} is ${status}: it takes no brief`);
    }
    const job: JobRow = {
      id,
      project_id,
      title,
      brief,
      repository,
      status: 'planning',
      reason: null,
      wake_at: null,
      wait: null,
      options,
      job_dir,
      clone_dir: null,
      baseline: null,
      base_branch: null,
      snapshot: false,
      branch,
      head: null,
      setup_done: false,
      machine: null,
      setup_ran: null,
      setup_added: [],
      setup_gap: null,
      setup_removed: null,
      plan_version: 0,
      plan_accepted: false,
      plan_feedback: null,
      planner_tries: 0,
      baseline_checks: null,
      result_failed: [],
      base_merges: [],
      result_checks: null,
      result_passed: null,
      verified: null,
      merging: false,
      merge: null,
      created_at: event.at,
      ended_at: null,
    };
    return [
      ...withEarlierPlan(state, job, amends),
      ...backlog.flatMap((feature) => takeFromBacklog(state, feature, id)),
      { table: 'meta', put: { ...state.meta, current_job: id } },
    ];
  },
  clone_made: (state, event) => {
    const { clone_dir, baseline, base_branch, snapshot, head, machine = null } = event;
    return [put({ ...needLive(state, event.job_id), clone_dir, baseline, base_branch, snapshot, head, machine })];
  },
  clone_lost: (state, event) => [put({ ...needLive(state, event.job_id), setup_done: false, setup_ran: null })],
  setup_finished: (state, event) => {
    const job = needLive(state, event.job_id);
    const ran = event.evidence.map(({ command, exitCode }) => ({ command, exitCode }));
    const setup_ran = [...(job.setup_ran ?? []), ...ran];
    const { gap = null, removed = job.setup_removed } = event;
    const setup = { setup_done: true, setup_ran, setup_gap: gap, setup_removed: removed };
    return [put({ ...job, ...setup, head: event.head })];
  },
  setup_added: (state, event) => {
    const job = needLive(state, event.job_id);
    if (job.setup_added.includes(event.command)) return [];
    const baseline_checks = checksAfterSetup(job);
    return [put({ ...job, setup_added: [...job.setup_added, event.command], setup_done: false, baseline_checks })];
  },
  baseline_checked: (state, { job_id, evidence, approval, at }) => {
    const checked = put({ ...needLive(state, job_id), baseline_checks: evidence });
    if (approval === undefined) return [checked];
    needNew(state, 'approvals', approval.id);
    return [checked, { table: 'approvals', put: newApproval(state, approval, at) }];
  },
  job_waiting: (state, event) => {
    const job = need(state, 'jobs', event.job_id);
    const { reason, wake_at } = event;
    const wait = waitSince(job.wait, { code: waitCodeOf(reason), reason, until: wake_at }, event.at);
    return [put(moveJob(job, 'wait', { reason, wake_at, wait })), ...standstill(state, event)];
  },
  job_woken: (state, event) => [put(moveJob(need(state, 'jobs', event.job_id), 'wake'))],
  job_awaiting: (state, event) => [
    put(moveJob(need(state, 'jobs', event.job_id), 'await', { reason: event.reason })),
    ...standstill(state, event),
  ],
  job_continued: (state, event) => [put(moveJob(need(state, 'jobs', event.job_id), 'continue'))],
  job_paused: (state, event) => [
    put(moveJob(need(state, 'jobs', event.job_id), 'pause', { reason: event.reason })),
    ...standstill(state, event),
  ],
  job_resumed: (state, { job_id }) => {
    const job = moveJob(need(state, 'jobs', job_id), 'resume');
    // The commands run again, because the missing part may have been installed by hand.
    const isRefused = approvalOn(state, job_id, { of: 'toolMissing' })?.status === 'rejected';
    return [
      put(isRefused ? { ...job, baseline_checks: null } : job),
      ...usedRefusals(state, job_id, (row) => refusalOf(state, row) === 'pauses'),
    ];
  },
  job_cancelled: (state, event) => [
    put(moveJob(need(state, 'jobs', event.job_id), 'cancel', { reason: event.reason, ended_at: event.at })),
    ...closeJob(state, event.job_id, event.at, JOB_CANCELLED),
    ...failPhases(state, event.job_id, event.at, JOB_CANCELLED),
  ],
  job_failed: (state, event) => [
    put(moveJob(need(state, 'jobs', event.job_id), 'fail', { reason: event.reason, ended_at: event.at })),
    ...closeJob(state, event.job_id, event.at, 'job failed'),
    ...failPhases(state, event.job_id, event.at, event.reason),
  ],
  job_options_changed: (state, event) => {
    const job = needLive(state, event.job_id);
    const budgetMicroUsd = event.budgetMicroUsd === undefined ? job.options.budgetMicroUsd : event.budgetMicroUsd;
    const mergeMode = event.mergeMode ?? job.options.mergeMode;
    const unpriced = event.unpricedLimits === undefined ? {} : { unpricedLimits: event.unpricedLimits };
    const lanes = event.lanes === undefined ? {} : { lanes: event.lanes };
    const { executors, attemptMicroUsd: microUsd = job.options.attempt.microUsd } = event;
    const attempt = { ...job.options.attempt, microUsd };
    const given = executors === undefined ? {} : { executors: { ...job.options.executors, ...executors } };
    const changed = {
      ...job,
      options: { ...job.options, budgetMicroUsd, attempt, mergeMode, ...unpriced, ...lanes, ...given },
    };
    return [put(changed), ...(executors === undefined ? [] : givenAway(state, changed, event.at))];
  },
  base_merged: (state, event) => {
    const { baseline, head, gained = null, phases = [] } = event;
    const job = needLive(state, event.job_id);
    const base_merges = [...job.base_merges, { base: baseline, onto: job.head, head, gained }];
    return [
      put({ ...job, baseline, head, base_merges, verified: null, merging: false }),
      ...phases.map(({ phase_id, base_commit }): Change => {
        const phase = jobPhases(state, job.id).find(({ id }) => id === phase_id);
        if (phase === undefined) throw failure('ILLEGAL_TRANSITION', `phase ${phase_id} is not of job ${job.id}`);
        return { table: 'phases', put: { ...phase, base_commit } };
      }),
    ];
  },
  result_verified: (state, event) => {
    const job = needLive(state, event.job_id);
    const { commit, evidence, base = [], feedback, fix_feature_id } = event;
    const result_checks = { commit, evidence, base };
    if (feedback === null || fix_feature_id === null) return verified(state, { ...job, result_checks }, event);
    const failed = event.evidence.filter((one) => !hasPassed(one)).map(({ command }) => command);
    return [
      put({ ...job, result_checks, result_failed: [...job.result_failed, ...failed] }),
      ...onceMore(state, job, { id: fix_feature_id, title: event.fix_title, feedback, by: 'review', at: event.at }),
    ];
  },
  result_accepted: (state, event) => {
    const job = needLive(state, event.job_id);
    if (acceptance(state, job, event.commit)?.id !== event.approval_id || event.commit !== job.head)
      throw failure('ILLEGAL_TRANSITION', `no answer of the steward takes ${event.commit} as it is`);
    return [put({ ...job, verified: event.commit })];
  },
  merge_begun: (state, event) => [put({ ...needLive(state, event.job_id), merging: true })],
  merge_ended: (state, event) => [put({ ...needLive(state, event.job_id), merging: false })],
  merge_refused: (state, event) => {
    const job = needLive(state, event.job_id);
    const fix = {
      id: event.fix_feature_id,
      title: event.fix_title,
      feedback: event.feedback,
      by: 'steward',
      at: event.at,
    } as const;
    return [
      ...onceMore(state, job, fix),
      ...usedRefusals(state, job.id, (row) => row.kind === 'merge' || asksToAccept(row)),
    ];
  },
  result_merged: (state, event) => {
    const job = need(state, 'jobs', event.job_id);
    if (!isFinal(JOB, job.status))
      throw failure('ILLEGAL_TRANSITION', `job ${job.id} is ${job.status}: it is not over`);
    return [put({ ...job, merge: event.merge })];
  },
  job_completed: (state, event) => [
    put(moveJob(need(state, 'jobs', event.job_id), 'complete', { merge: event.merge, ended_at: event.at })),
    ...closeJob(state, event.job_id, event.at, 'job completed'),
  ],
  job_rolled_back: (state, event) => {
    const job = need(state, 'jobs', event.job_id);
    if (job.merge === null || job.merge.rolledBack) {
      throw failure('ILLEGAL_TRANSITION', `job ${job.id} has no merge that could be rolled back`);
    }
    return [put({ ...job, merge: { ...job.merge, rolledBack: true } })];
  },
} satisfies { readonly [T in JobEvent]: Reducer<T> };

type JobEvent =
  | 'brief_submitted'
  | 'clone_made'
  | 'clone_lost'
  | 'setup_finished'
  | 'setup_added'
  | 'baseline_checked'
  | 'job_waiting'
  | 'job_woken'
  | 'job_awaiting'
  | 'job_continued'
  | 'job_paused'
  | 'job_resumed'
  | 'job_cancelled'
  | 'job_failed'
  | 'job_options_changed'
  | 'base_merged'
  | 'result_verified'
  | 'result_accepted'
  | 'merge_begun'
  | 'merge_ended'
  | 'result_merged'
  | 'merge_refused'
  | 'job_completed'
  | 'job_rolled_back';
