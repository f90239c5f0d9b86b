/**
 * Decides the next actions of a job, purely from the state. Cancel, pause, waiting and open questions come before any work, so they need no separate
 * path in the loop.
 */

import type { Verdict } from '../../shared/job/plan.ts';
import type { AttemptRow, JobRow, PhaseRow } from '../../shared/job/rows.ts';
import { MERGE_MODES } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { type About, approvalOn } from '../approval/about.ts';
import { refusalOf } from '../approval/refusals.ts';
import { isFinal, JOB } from '../state/machines.ts';
import { planId } from '../state/planId.ts';
import { jobApprovals, jobPhases, need, openAttempt, phaseFeatures } from '../state/rows.ts';
import { type Action, type Busy, type Due, NOTHING_RUNS } from './action.ts';
import { acceptance } from './gate/acceptResult.ts';
import { NO_REASON, personOf, phaseWork, resume } from './lanes.ts';
import { aboutPlan, mustBeAsked } from './plan/planSetup.ts';
import { baselineDue } from './result/baseline.ts';

/** Planner sessions without a usable plan after which the steward is asked. */
const MAX_PLANNER_TRIES = 2;

const NOTHING_COMPLETED = 'No feature of this phase is completed, so it cannot be approved.';

/** Actions that change only rows or wait: they need no lane at rest. */
const BESIDE: ReadonlySet<Action['do']> = new Set(['wait', 'wake', 'continue', 'raise_limit', 'fail', 'pause']);

/** The actions that are due now, each in its lane. Never empty if nothing runs. `now` is epoch milliseconds. */
export function nextActions(state: State, jobId: string, now: number, busy: Busy): readonly Due[] {
  const job = need(state, 'jobs', jobId);
  const step = stepOf(state, job, now);
  if (step.do === 'stop') return [{ lane: 0, action: step }];
  if (busy.job) return [];
  const due = step.do === 'execute' ? phaseWork(state, job, step.phase, busy) : ofTheJob(step, busy);
  const goesOn = job.status === 'awaiting_steward' && due.some(({ action }) => action.do !== 'await');
  return goesOn ? [{ lane: freeLane(busy), action: { do: 'continue' } }] : due;
}

/** The first of them if nothing runs. */
export function nextAction(state: State, jobId: string, now: number): Action {
  return nextActions(state, jobId, now, NOTHING_RUNS)[0]?.action ?? { do: 'continue' };
}

/** An action of the whole job waits until every lane is at rest. */
function ofTheJob(action: Action, busy: Busy): readonly Due[] {
  return busy.lanes.size === 0 || BESIDE.has(action.do) ? [{ lane: freeLane(busy), action }] : [];
}

function freeLane({ lanes }: Busy): number {
  let lane = 0;
  while (lanes.has(lane)) lane++;
  return lane;
}

type Step = Action | { readonly do: 'execute'; readonly phase: PhaseRow };

function stepOf(state: State, job: JobRow, now: number): Step {
  if (isFinal(JOB, job.status)) return { do: 'stop', why: 'final' };
  if (job.status === 'paused') return { do: 'stop', why: 'paused' };
  const blocking = jobApprovals(state, job.id).filter((row) => row.status === 'pending' && row.feature_id === null);
  if (blocking.length > 0) return { do: 'await', approvals: blocking };
  if (job.status === 'waiting' && job.wake_at !== null) {
    if (now < Date.parse(job.wake_at)) return { do: 'wait', until: job.wake_at, reason: job.reason ?? 'waiting' };
    return { do: 'wake' };
  }
  return refused(state, job) ?? prepare(state, job) ?? plan(state, job) ?? work(state, job) ?? merge(state, job);
}

/** Answers that end or pause the job, or change a limit, before anything else happens. */
function refused(state: State, job: JobRow): Action | null {
  const newest = new Map(jobApprovals(state, job.id).map((row) => [row.subject, row]));
  for (const row of newest.values()) {
    const reason = `refused by the steward: ${row.question}`;
    if (row.status === 'rejected' && row.kind === 'provider') return { do: 'fail', reason };
    if (row.status === 'rejected' && refusalOf(state, row) === 'pauses') return { do: 'pause', reason };
    if (row.status === 'approved' && row.kind === 'limit') return { do: 'raise_limit', approval: row };
  }
  return null;
}

function prepare(state: State, job: JobRow): Action | null {
  if (job.clone_dir === null) {
    const dirty = approvalOn(state, job.id, { of: 'dirtyTree' });
    return { do: 'clone', snapshot: dirty?.status === 'approved' ? dirty.choice === 'snapshot' : null };
  }
  if (job.setup_done) return null;
  const failed = approvalOn(state, job.id, { of: 'failedSetup', added: null });
  if (failed?.status === 'rejected') return { do: 'fail', reason: 'the setup commands failed' };
  return { do: 'setup' };
}

/** Whether the steward chose to go without the setup commands of the brief or of lock files. */
export function skipsSetup(state: State, jobId: string): boolean {
  return (
    approvalOn(state, jobId, { of: 'failedSetup', added: null })?.status === 'approved' ||
    approvalOn(state, jobId, { of: 'setup' })?.status === 'rejected'
  );
}

function plan(state: State, job: JobRow): Action | null {
  if (job.plan_accepted) return null;
  if (job.plan_version > 0 && job.plan_feedback === null) return planGate(state, job);
  if (job.planner_tries < MAX_PLANNER_TRIES) return { do: 'plan' };
  const about: About = { of: 'planner', version: job.plan_version, tries: job.planner_tries };
  const asked = approvalOn(state, job.id, about);
  if (asked?.status === 'approved') return { do: 'plan' };
  if (asked?.status === 'rejected') return { do: 'fail', reason: `no usable plan: ${job.plan_feedback}` };
  return { do: 'ask', about, question: { kind: 'planner', feedback: job.plan_feedback ?? '' } };
}

type AcceptPlan = Extract<Action, { do: 'accept_plan' }>;

/** The plan that the newest answer accepts, also for a paused job. Null if there is none to accept. */
export function approvedPlan(state: State, job: JobRow): AcceptPlan | null {
  const next = isFinal(JOB, job.status) ? null : plan(state, job);
  return next?.do === 'accept_plan' ? next : null;
}

function planGate(state: State, job: JobRow): Action {
  const version = job.plan_version;
  const { plan } = need(state, 'plans', planId(job.id, version));
  const isGated = job.options.gates.includes('plan') || mustBeAsked(job, plan);
  if (!isGated) return { do: 'accept_plan', version, by: 'engine' };
  const about = aboutPlan(version, plan);
  const asked = approvalOn(state, job.id, about);
  if (asked?.status === 'approved') return { do: 'accept_plan', version, by: personOf(asked) };
  if (asked?.status === 'rejected') return { do: 'refuse_plan', feedback: asked.feedback || NO_REASON };
  return { do: 'ask', about, question: { kind: 'plan', version } };
}

function work(state: State, job: JobRow): Step | null {
  const phases = jobPhases(state, job.id);
  // The summary comes after the review, so that it knows the verdict and a rejected round needs none.
  const approved = phases.find((row) => row.status === 'completed' && row.summary_attempt < row.attempt);
  if (approved !== undefined) return { do: 'summarize', phase: approved };
  const phase = phases.find((row) => row.status !== 'completed');
  if (phase === undefined) return null;
  const commands = phase.status === 'failed' ? null : baselineDue(state, job);
  if (commands !== null) return { do: 'check_baseline', commands };
  switch (phase.status) {
    case 'pending':
      return { do: 'start_phase', phase };
    case 'executing':
      return { do: 'execute', phase };
    case 'reviewing':
      return review(state, job, phase);
    default:
      return { do: 'fail', reason: phase.error_message ?? `phase ${phase.number} failed` };
  }
}

function review(state: State, job: JobRow, phase: PhaseRow): Action {
  const open = openAttempt(state, job.id);
  if (open !== undefined) return resume(state, job, open);
  const last = phase.review_attempt === null ? undefined : state.attempts.get(phase.review_attempt);
  if (last === undefined || last.status === 'abandoned') return { do: 'review', phase };
  const { verdict, reason, feedback, reopen } = verdictOf(last);
  // Another round would bring the same: a person decides, unless it would be the last one anyway.
  const inCircles = last.cause === 'same_verdict' && phase.attempt < job.options.maxPhaseAttempts;
  if (verdict === 'REJECTED' && !inCircles) {
    return { do: 'reject_phase', phase, by: 'reviewer', feedback: feedback || reason, reopen };
  }
  if (verdict === 'APPROVED' && !job.options.gates.includes('phase')) return approve(state, phase, 'reviewer', reason);
  const kind = verdict === 'APPROVED' ? 'phase' : 'escalate';
  const about: About = { of: kind, review: last.id };
  const asked = approvalOn(state, job.id, about);
  const by = asked?.decided_by === 'rule' ? 'rule' : 'steward';
  if (asked?.status === 'approved') return approve(state, phase, by, asked.feedback ?? '');
  if (asked?.status === 'rejected') {
    const why = asked.feedback || (kind === 'escalate' ? feedback || reason : NO_REASON);
    return { do: 'reject_phase', phase, by: 'steward', feedback: why, reopen };
  }
  return { do: 'ask', about, question: { kind, phase, review: last } };
}

/** The verdict of a review. Nothing is approved without a verdict of a review that succeeded. */
function verdictOf(review: AttemptRow): Verdict {
  const { verdict, status, cause } = review;
  if (verdict !== null && (status === 'succeeded' || verdict.verdict !== 'APPROVED')) return verdict;
  const reason = `The review ended without a verdict that counts: ${cause ?? status}.`;
  return { verdict: 'ESCALATE', reason, feedback: '', reopen: [] };
}

/** A phase without a completed feature is repeated instead, with its failures as feedback. */
function approve(state: State, phase: PhaseRow, by: 'reviewer' | 'steward' | 'rule', reason: string): Action {
  const features = phaseFeatures(state, phase.id);
  if (features.some((feature) => feature.status === 'completed')) return { do: 'approve_phase', phase, by, reason };
  const reopen = features.filter((feature) => feature.status === 'failed').map((feature) => feature.name);
  return { do: 'reject_phase', phase, by: by === 'rule' ? 'reviewer' : by, feedback: NOTHING_COMPLETED, reopen };
}

/** A result that failed is verified again only after something changed, or after the steward's rejection took effect. */
function verify(state: State, job: JobRow, head: string): Action {
  const taken = acceptance(state, job, head);
  if (taken !== undefined) return { do: 'accept_result', head, approval: taken };
  const asked = approvalOn(state, job.id, { of: 'accept', commit: head });
  if (asked?.status === 'rejected') return { do: 'refuse_merge', feedback: asked.feedback || 'Not accepted.' };
  return { do: 'verify_result', head };
}

function merge(state: State, job: JobRow): Action {
  const head = job.head ?? '';
  if (job.verified !== head) return verify(state, job, head);
  // An answer is bound to the commit of its question.
  const conflict = jobApprovals(state, job.id).findLast(
    (row) => row.kind === 'conflict' && row.status === 'approved' && row.commit === job.head,
  );
  const instead = MERGE_MODES.find((mode) => mode === conflict?.choice);
  if (instead !== undefined) return { do: 'merge', mode: instead, head };
  if (!job.options.gates.includes('merge')) return { do: 'merge', mode: job.options.mergeMode, head };
  const about: About = { of: 'merge', commit: head };
  const asked = approvalOn(state, job.id, about);
  if (asked?.status === 'rejected') return { do: 'refuse_merge', feedback: asked.feedback || 'Not accepted.' };
  if (asked?.status !== 'approved') return { do: 'ask', about, question: { kind: 'merge', head } };
  return { do: 'merge', mode: MERGE_MODES.find((mode) => mode === asked.choice) ?? job.options.mergeMode, head };
}
