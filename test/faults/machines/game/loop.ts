/** The loop of a job as the engine plays it, with dice where the engine has a model, git and commands. */

import { executorFor, isSideBySide } from '../../../../src/core/agent/executors.ts';
import { subjectOf } from '../../../../src/core/approval/about.ts';
import type { Action, Question } from '../../../../src/core/job/action.ts';
import { nextAction, skipsSetup } from '../../../../src/core/job/nextAction.ts';
import { need, openSession, phaseFeatures } from '../../../../src/core/state/rows.ts';
import type { NewApproval } from '../../../../src/shared/approval.ts';
import type { PlanIds } from '../../../../src/shared/job/jobEvents.ts';
import type { Plan } from '../../../../src/shared/job/plan.ts';
import type { AttemptRow, PhaseRow } from '../../../../src/shared/job/rows.ts';
import { JOB_ID, PROJECT_ID } from '../../../support/state/builders.ts';
import { sessionEnd } from '../../../support/state/fold.ts';
import { ask, endAttempt, finish, head, newHead } from './flights.ts';
import { ANY_LUCK, type Luck, pick } from './luck.ts';
import { Crash, type Dice, type Progress, type World } from './world.ts';

/** One action, or the end of what is under way. A crash is survived: a new owner starts. */
export function playStep(world: World, dice: Dice, luck: Luck = ANY_LUCK): Progress {
  try {
    if (world.inFlight !== null) return finish(world, dice, luck);
    return perform(world, nextAction(world.state, JOB_ID, world.now), dice, luck);
  } catch (thrown) {
    if (!(thrown instanceof Crash)) throw thrown;
    restart(world);
    return 'worked';
  }
}

/** The process is gone; another one takes over. */
export function restart(world: World): Progress {
  world.fuse = null;
  world.inFlight = null;
  world.conversation = null;
  world.epoch++;
  return world.commit({ type: 'owner_started', pid: world.epoch, release: 'test' });
}

function session(
  world: World,
  role: 'planner' | 'worker' | 'reviewer' | 'summarizer',
  phaseId: number | null,
  executor = 'builtin',
): number {
  const known =
    role === 'worker' ? undefined : openSession(world.state, { job_id: JOB_ID, role, phaseId, reviews: null });
  if (known !== undefined) return known.id;
  const id = world.nextId('sessions');
  const row = { id, job_id: JOB_ID, project_id: PROJECT_ID, role, model: 'm', phase_id: phaseId, notes: [] } as const;
  const by = { executor };
  world.commit({ type: 'session_started', ...row, ...by });
  return id;
}

function closeConversation(world: World): Progress {
  const { conversation } = world;
  world.conversation = null;
  if (conversation === null || world.state.sessions.get(conversation.sessionId)?.status !== 'running') return 'idle';
  return world.commit({ type: 'session_ended', session: sessionEnd(conversation.sessionId) });
}

// --- actions

function perform(world: World, action: Action, dice: Dice, luck: Luck): Progress {
  const job_id = JOB_ID;
  switch (action.do) {
    case 'stop':
    case 'wait':
      return 'idle';
    case 'await':
      return awaitSteward(world, action.approvals[0]?.question ?? '');
    case 'wake':
      return world.commit({ type: 'job_woken', job_id });
    case 'continue':
      return world.commit({ type: 'job_continued', job_id });
    case 'ask':
      closeConversation(world);
      return ask(world, { subject: subjectOf(action.about), ...words(world, action.question) });
    case 'fail':
      return world.commit({ type: 'job_failed', job_id, reason: action.reason });
    case 'pause':
      return world.commit({ type: 'job_paused', job_id, reason: action.reason, by: 'steward' });
    case 'raise_limit':
      world.commit({ type: 'job_options_changed', job_id, budgetMicroUsd: 1_000_000, by: 'steward' });
      return world.commit({ type: 'approval_voided', id: action.approval.id, reason: 'raised' });
    case 'clone':
    case 'setup':
      return prepare(world, action, dice);
    case 'plan':
      world.inFlight = { kind: 'planner', id: 0, sessionId: session(world, 'planner', null) };
      return 'worked';
    case 'accept_plan':
      return acceptPlan(world, action.version);
    case 'check_baseline':
      return world.commit({ type: 'baseline_checked', job_id, evidence: [], skipped: null });
    case 'refuse_plan':
      return world.commit({ type: 'plan_refused', job_id, feedback: action.feedback, by: 'steward', session: null });
    default:
      return work(world, action, dice, luck);
  }
}

function awaitSteward(world: World, reason: string): Progress {
  const job = world.job();
  if (job.status === 'awaiting_steward' && job.reason === reason) return 'idle';
  closeConversation(world);
  return world.commit({ type: 'job_awaiting', job_id: JOB_ID, reason });
}

function words(world: World, question: Question): Partial<NewApproval> {
  switch (question.kind) {
    case 'planner':
      return { kind: 'escalate' };
    case 'crashes':
      return { kind: 'crashes', feature_id: question.feature?.id ?? null };
    case 'merge':
      return { kind: 'merge', commit: question.head, choices: ['merge', 'branch', 'patch'] };
    case 'pick': {
      const passed = question.candidates.filter((row) => row.status === 'succeeded');
      return { kind: 'pick', feature_id: question.feature.id, choices: passed.map((row) => String(row.id)) };
    }
    default:
      return { kind: question.kind, commit: world.job().head };
  }
}

function prepare(world: World, action: Extract<Action, { do: 'clone' | 'setup' }>, dice: Dice): Progress {
  const job_id = JOB_ID;
  if (action.do === 'clone') {
    if (action.snapshot === null && dice(4) === 3)
      return ask(world, { kind: 'dirty_tree', subject: 'dirty_tree', choices: ['head', 'snapshot'] });
    const made = { clone_dir: '/clone', baseline: 'base', base_branch: 'main', head: 'base' };
    return world.commit({ type: 'clone_made', job_id, snapshot: action.snapshot === true, ...made });
  }
  const known = [...world.state.approvals.values()].some((row) => row.subject === 'setup');
  const skips = skipsSetup(world.state, JOB_ID);
  if (!skips && !known && dice(4) === 3) return ask(world, { kind: 'setup', subject: 'setup' });
  if (!skips && dice(4) === 3) return ask(world, { kind: 'setup', subject: 'setup_failed' });
  return world.commit({ type: 'setup_finished', job_id, evidence: [], head: 'base' });
}

export function idsFor(world: World, plan: Plan): PlanIds {
  const { phases, features } = world.state;
  return {
    phases: plan.phases.map((phase) => ({
      id: phase.id !== undefined && phases.has(phase.id) ? phase.id : world.nextId('phases'),
      features: phase.features.map((feature) =>
        feature.id !== undefined && features.has(feature.id) ? feature.id : world.nextId('features'),
      ),
    })),
  };
}

function acceptPlan(world: World, version: number): Progress {
  const { plan } = need(world.state, 'plans', `${JOB_ID}#${version}`);
  return world.commit({
    type: 'plan_accepted',
    job_id: JOB_ID,
    plan_version: version,
    ids: idsFor(world, plan),
    by: 'engine',
  });
}

type WorkAction = Exclude<
  Action,
  {
    do:
      | 'stop'
      | 'wait'
      | 'await'
      | 'wake'
      | 'continue'
      | 'ask'
      | 'fail'
      | 'pause'
      | 'raise_limit'
      | 'clone'
      | 'setup'
      | 'plan'
      | 'accept_plan'
      | 'check_baseline'
      | 'refuse_plan';
  }
>;

function work(world: World, action: WorkAction, dice: Dice, luck: Luck): Progress {
  const job_id = JOB_ID;
  switch (action.do) {
    case 'start_phase':
      return world.commit({ type: 'phase_started', job_id, phase_id: action.phase.id, base_commit: head(world) });
    case 'begin_review':
      return world.commit({ type: 'phase_reviewing', job_id, phase_id: action.phase.id });
    case 'release':
      return world.commit({
        type: 'feature_set',
        id: action.feature.id,
        status: 'pending',
        by: 'engine',
        reason: null,
      });
    case 'resume':
      return resume(world, action.attempt, dice);
    case 'attempt':
      return attempt(world, action.phase, action.feature.id);
    case 'integrate':
      throw new Error('a job with one lane has no merge queue');
    case 'pick':
      closeConversation(world);
      return world.commit({
        type: 'candidate_picked',
        id: action.feature.id,
        attempt_id: action.attempt?.id ?? null,
        commit: action.attempt === null ? null : newHead(world),
        feedback: action.feedback,
        by: action.by,
      });
    case 'summarize': {
      closeConversation(world);
      const sessionId = session(world, 'summarizer', action.phase.id);
      world.inFlight = { kind: 'summarizer', id: action.phase.id, sessionId };
      return 'worked';
    }
    case 'review':
      closeConversation(world);
      return startAttempt(world, action.phase.id, null, session(world, 'reviewer', action.phase.id));
    case 'approve_phase':
      return world.commit({
        type: 'phase_approved',
        job_id,
        phase_id: action.phase.id,
        by: action.by,
        reason: action.reason,
      });
    case 'reject_phase':
      return rejectPhase(world, action);
    case 'accept_result':
      return world.commit({
        type: 'result_accepted',
        job_id,
        commit: action.head,
        approval_id: action.approval.id,
      });
    case 'verify_result': {
      const wrong = pick(luck.result, dice) === 'broken';
      return world.commit({
        type: 'result_verified',
        job_id,
        commit: action.head,
        evidence: [],
        feedback: wrong ? 'The result fails.' : null,
        fix_feature_id: wrong ? world.nextId('features') : null,
      });
    }
    case 'merge':
      return merge(world, action, dice, luck);
    case 'refuse_merge':
      return refuseMerge(world, action.feedback);
  }
}

function attempt(world: World, phase: PhaseRow, featureId: number): Progress {
  const { conversation } = world;
  const fresh = ![...world.state.attempts.values()].some((row) => row.feature_id === featureId);
  const feature = need(world.state, 'features', featureId);
  const executor = executorFor(world.job(), 'worker', feature);
  const same =
    conversation !== null && world.state.sessions.get(conversation.sessionId)?.executor === executor
      ? conversation
      : null;
  const goesOn =
    fresh && !isSideBySide(feature) && same?.phaseId === phase.id && same.taken < world.job().options.batch
      ? same
      : null;
  if (goesOn === null) closeConversation(world);
  const sessionId = goesOn?.sessionId ?? session(world, 'worker', phase.id, executor);
  world.conversation = goesOn ?? { sessionId, phaseId: phase.id, taken: 0 };
  return startAttempt(world, phase.id, featureId, sessionId);
}

function startAttempt(world: World, phase_id: number, feature_id: number | null, session_id: number): Progress {
  const id = world.nextId('attempts');
  const row = { id, job_id: JOB_ID, phase_id, feature_id, session_id, base_commit: head(world), notes: [] };
  world.commit({ type: 'attempt_started', ...row });
  world.inFlight = { kind: feature_id === null ? 'review' : 'attempt', id, sessionId: session_id };
  return 'worked';
}

function resume(world: World, row: AttemptRow, dice: Dice): Progress {
  world.conversation = null;
  if (row.status === 'interrupted') {
    if (dice(12) === 11) return endAttempt(world, row.id, { status: 'abandoned', session: 'failed' });
    world.commit({ type: 'attempt_resumed', id: row.id, job_id: JOB_ID });
  }
  world.inFlight = { kind: row.feature_id === null ? 'review' : 'attempt', id: row.id, sessionId: row.session_id };
  return 'worked';
}

function rejectPhase(world: World, action: Extract<Action, { do: 'reject_phase' }>): Progress {
  const named = phaseFeatures(world.state, action.phase.id).filter((row) => action.reopen.includes(row.name));
  return world.commit({
    type: 'phase_rejected',
    job_id: JOB_ID,
    phase_id: action.phase.id,
    by: action.by,
    feedback: action.feedback,
    reopen: named.map((row) => row.id),
    fix_feature_id: named.length > 0 ? null : world.nextId('features'),
  });
}

function refuseMerge(world: World, feedback: string): Progress {
  const fix_feature_id = world.nextId('features');
  return world.commit({ type: 'merge_refused', job_id: JOB_ID, feedback, fix_feature_id });
}

function merge(world: World, action: Extract<Action, { do: 'merge' }>, dice: Dice, luck: Luck): Progress {
  const end = pick(luck.merge, dice);
  world.commit({ type: 'merge_begun', job_id: JOB_ID, commit: action.head, mode: action.mode });
  switch (end) {
    case 'done': {
      const result = { mode: action.mode, target: 'main', commit: action.head, previous: 'base', checkedOut: true };
      const merged = { ...result, rolledBack: false, note: null };
      return world.commit({ type: 'job_completed', job_id: JOB_ID, merge: merged });
    }
    case 'moved':
      return world.commit({ type: 'base_merged', job_id: JOB_ID, baseline: newHead(world), head: newHead(world) });
    case 'conflict':
    case 'refused': {
      world.commit({ type: 'merge_ended', job_id: JOB_ID, reason: end });
      const subject = end === 'conflict' ? `conflict:base:${action.head}` : `refused:${world.events.length}`;
      return ask(world, { kind: 'conflict', subject, commit: head(world), choices: ['retry', 'branch', 'patch'] });
    }
  }
}
