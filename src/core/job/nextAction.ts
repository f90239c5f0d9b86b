/**
 * Decides the next action of a job, purely from the state. Cancel, pause, waiting and open questions come before any work, so they need no separate
 * path in the loop.
 */

import type { ApprovalRow } from '../../shared/approval.ts';
import type { Verdict } from '../../shared/job/plan.ts';
import type { AttemptRow, FeatureRow, JobRow, MergeMode, PhaseRow } from '../../shared/job/rows.ts';
import { MERGE_MODES } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { allTried, candidatesOf, pickedIn } from '../agent/executors.ts';
import { type About, approvalOn } from '../approval/about.ts';
import { refusalOf } from '../approval/refusals.ts';
import { isFinal, JOB } from '../state/machines.ts';
import { planId } from '../state/planId.ts';
import { jobApprovals, jobPhases, need, openAttempt, phaseFeatures } from '../state/rows.ts';
import { acceptance } from './gate/acceptResult.ts';
import { aboutPlan, mustBeAsked } from './plan/planSetup.ts';
import { baselineDue } from './result/baseline.ts';

/** Crashes in a row after which a feature is parked. */
const MAX_CRASHES = 5;
/** Planner sessions without a usable plan after which the steward is asked. */
const MAX_PLANNER_TRIES = 2;

const NO_REASON = 'Rejected without a reason.';
const NOTHING_COMPLETED = 'No feature of this phase is completed, so it cannot be approved.';

/** A question that the loop must ask, with the data for its text. */
export type Question =
  | { readonly kind: 'plan'; readonly version: number }
  | { readonly kind: 'planner'; readonly feedback: string }
  /** `feature` is null when the review of a phase crashes. */
  | { readonly kind: 'crashes'; readonly attempt: AttemptRow; readonly feature: FeatureRow | null }
  | { readonly kind: 'phase'; readonly phase: PhaseRow; readonly review: AttemptRow }
  | { readonly kind: 'escalate'; readonly phase: PhaseRow; readonly review: AttemptRow }
  | { readonly kind: 'pick'; readonly feature: FeatureRow; readonly candidates: readonly AttemptRow[] }
  | { readonly kind: 'merge'; readonly head: string };

export type Action =
  | { readonly do: 'stop'; readonly why: 'final' | 'paused' }
  | { readonly do: 'wait'; readonly until: string; readonly reason: string }
  | { readonly do: 'wake' }
  /** The answer came before the job was marked as waiting. */
  | { readonly do: 'continue' }
  | { readonly do: 'await'; readonly approvals: readonly ApprovalRow[] }
  | { readonly do: 'ask'; readonly about: About; readonly question: Question }
  | { readonly do: 'fail'; readonly reason: string }
  /** A person rejected the question. When the job is resumed, it asks the question again. */
  | { readonly do: 'pause'; readonly reason: string }
  | { readonly do: 'clone'; readonly snapshot: boolean | null }
  | { readonly do: 'setup' }
  | { readonly do: 'raise_limit'; readonly approval: ApprovalRow }
  | { readonly do: 'plan' }
  | { readonly do: 'accept_plan'; readonly version: number; readonly by: 'steward' | 'yes_flag' | 'demo' | 'engine' }
  | { readonly do: 'refuse_plan'; readonly feedback: string }
  /** Runs the verify commands before any work, so that an existing failure does not count as one of the work. */
  | { readonly do: 'check_baseline'; readonly commands: readonly string[] }
  | { readonly do: 'start_phase'; readonly phase: PhaseRow }
  | { readonly do: 'resume'; readonly attempt: AttemptRow }
  | { readonly do: 'release'; readonly feature: FeatureRow }
  | { readonly do: 'attempt'; readonly phase: PhaseRow; readonly feature: FeatureRow }
  /** One of the candidate results becomes the feature's, or none does and the feature is attempted again. */
  | {
      readonly do: 'pick';
      readonly feature: FeatureRow;
      readonly attempt: AttemptRow | null;
      readonly feedback: string | null;
      readonly by: 'steward' | 'yes_flag' | 'demo' | 'engine';
    }
  | { readonly do: 'summarize'; readonly phase: PhaseRow }
  | { readonly do: 'begin_review'; readonly phase: PhaseRow }
  | { readonly do: 'review'; readonly phase: PhaseRow }
  | {
      readonly do: 'approve_phase';
      readonly phase: PhaseRow;
      readonly by: 'reviewer' | 'steward' | 'rule';
      readonly reason: string;
    }
  | {
      readonly do: 'reject_phase';
      readonly phase: PhaseRow;
      readonly by: 'reviewer' | 'steward';
      readonly feedback: string;
      readonly reopen: readonly string[];
    }
  /** Runs every verify command of the plan on the commit that will be merged. */
  | { readonly do: 'verify_result'; readonly head: string }
  /** The steward accepts the result although a verify command fails. */
  | { readonly do: 'accept_result'; readonly head: string; readonly approval: ApprovalRow }
  | { readonly do: 'merge'; readonly mode: MergeMode; readonly head: string }
  | { readonly do: 'refuse_merge'; readonly feedback: string };

/** Returns why a pending feature cannot be picked, or null if it can. */
export function heldBecause(state: State, feature: FeatureRow): string | null {
  const other = waitsFor(state, feature);
  if (other === undefined) return null;
  const held = other.status === 'pending' && waitsFor(state, other) !== undefined;
  return `depends on "${other.name}", which ${other.status === 'failed' ? 'failed' : held ? 'is blocked too' : 'is not completed'}`;
}

/** Returns the source of an answer to a question that no rule can answer. */
const personOf = ({ decided_by }: ApprovalRow): 'steward' | 'yes_flag' | 'demo' =>
  decided_by === 'yes_flag' || decided_by === 'demo' ? decided_by : 'steward';

/** The first dependency that is not completed. A dependency that is no longer in the plan does not block. */
function waitsFor(state: State, feature: FeatureRow): FeatureRow | undefined {
  for (const id of feature.depends_on) {
    const other = state.features.get(id);
    if (other !== undefined && other.status !== 'completed') return other;
  }
  return undefined;
}

/** The pending question that keeps a feature from being picked. */
function featureApproval(state: State, feature: FeatureRow): ApprovalRow | undefined {
  return feature.job_id === null ? undefined : featureApprovals(state).get(feature.id);
}

/** The oldest pending question that blocks each feature. */
export function featureApprovals(state: State): ReadonlyMap<number, ApprovalRow> {
  const oldest = new Map<number, ApprovalRow>();
  for (const row of state.approvals.values()) {
    if (row.status !== 'pending' || row.feature_id === null) continue;
    const known = oldest.get(row.feature_id);
    if (known === undefined || row.id < known.id) oldest.set(row.feature_id, row);
  }
  return oldest;
}

/** `now` is epoch milliseconds. */
export function nextAction(state: State, jobId: string, now: number): Action {
  const job = need(state, 'jobs', jobId);
  if (isFinal(JOB, job.status)) return { do: 'stop', why: 'final' };
  if (job.status === 'paused') return { do: 'stop', why: 'paused' };
  const blocking = jobApprovals(state, jobId).filter((row) => row.status === 'pending' && row.feature_id === null);
  if (blocking.length > 0) return { do: 'await', approvals: blocking };
  if (job.status === 'waiting' && job.wake_at !== null) {
    if (now < Date.parse(job.wake_at)) return { do: 'wait', until: job.wake_at, reason: job.reason ?? 'waiting' };
    return { do: 'wake' };
  }
  const next = refused(state, job) ?? prepare(state, job) ?? plan(state, job) ?? work(state, job) ?? merge(state, job);
  return job.status === 'awaiting_steward' && next.do !== 'await' ? { do: 'continue' } : next;
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

function work(state: State, job: JobRow): Action | null {
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
      return execute(state, job, phase);
    case 'reviewing':
      return review(state, job, phase);
    default:
      return { do: 'fail', reason: phase.error_message ?? `phase ${phase.number} failed` };
  }
}

function execute(state: State, job: JobRow, phase: PhaseRow): Action {
  const open = openAttempt(state, job.id);
  if (open !== undefined) return resume(state, job, open);
  const features = phaseFeatures(state, phase.id);
  const lost = features.find((feature) => feature.status === 'in_progress');
  if (lost !== undefined) return { do: 'release', feature: lost };
  const tried = features.find((feature) => feature.status === 'pending' && allTried(feature));
  if (tried !== undefined) return pick(state, job, tried);
  const pending = features.filter((feature) => feature.status === 'pending');
  const questions = featureApprovals(state);
  const free = pending.filter((feature) => heldBecause(state, feature) === null);
  // All candidate results start from the same tree: until every agent has attempted the feature, no other work starts.
  const begun = free.find((feature) => feature.candidates.length > 0);
  const question = begun === undefined ? undefined : questions.get(begun.id);
  if (question !== undefined) return { do: 'await', approvals: [question] };
  const next = begun ?? free.find((feature) => !questions.has(feature.id));
  if (next !== undefined) return { do: 'attempt', phase, feature: next };
  const asked = pending.map((feature) => questions.get(feature.id)).filter((row) => row !== undefined);
  if (asked.length > 0) return { do: 'await', approvals: asked };
  return { do: 'begin_review', phase };
}

/** No other work starts meanwhile, because all results are based on the same tree. */
function pick(state: State, job: JobRow, feature: FeatureRow): Action {
  const candidates = candidatesOf(state, feature);
  const none = { do: 'pick', feature, attempt: null } as const;
  if (candidates.every((attempt) => attempt.status !== 'succeeded')) {
    const feedback = candidates.findLast((attempt) => attempt.feedback !== null)?.feedback ?? null;
    return { ...none, feedback, by: 'engine' };
  }
  const about: About = { of: 'pick', featureId: feature.id, candidates: feature.candidates };
  const asked = approvalOn(state, job.id, about);
  if (asked === undefined || asked.status === 'void')
    return { do: 'ask', about, question: { kind: 'pick', feature, candidates } };
  if (asked.status === 'pending') return { do: 'await', approvals: [asked] };
  const by = personOf(asked);
  if (asked.status === 'rejected') return { ...none, feedback: asked.feedback || NO_REASON, by };
  const picked = pickedIn(asked);
  const attempt = candidates.find((one) => one.id === picked) ?? null;
  return { do: 'pick', feature, attempt, feedback: asked.feedback, by };
}

function resume(state: State, job: JobRow, attempt: AttemptRow): Action {
  const feature = attempt.feature_id === null ? undefined : state.features.get(attempt.feature_id);
  if (feature === undefined) return resumeReview(state, job, attempt);
  if (feature.crash_count < MAX_CRASHES) return { do: 'resume', attempt };
  const pending = featureApproval(state, feature);
  if (pending !== undefined) return { do: 'await', approvals: [pending] };
  const about: About = { of: 'crashes', attempt: attempt.id, times: attempt.interruptions };
  const asked = approvalOn(state, job.id, about);
  if (asked !== undefined) return { do: 'resume', attempt };
  return { do: 'ask', about, question: { kind: 'crashes', attempt, feature } };
}

/** A review that crashed as often is asked about again after as many crashes more. */
function resumeReview(state: State, job: JobRow, attempt: AttemptRow): Action {
  const round = Math.floor(attempt.interruptions / MAX_CRASHES);
  if (round === 0) return { do: 'resume', attempt };
  const about: About = { of: 'crashes', attempt: attempt.id, times: round };
  const asked = approvalOn(state, job.id, about);
  if (asked === undefined) return { do: 'ask', about, question: { kind: 'crashes', attempt, feature: null } };
  if (asked.status !== 'rejected') return { do: 'resume', attempt };
  return { do: 'fail', reason: `the review crashed ${attempt.interruptions} times` };
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
