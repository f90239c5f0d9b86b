/** How an attempt, a review, a plan or a summary that is under way may end. */
import { isSideBySide } from '../../../../src/core/agent/executors.ts';
import { planFaults } from '../../../../src/core/job/plan/planCheck.ts';
import { need } from '../../../../src/core/state/rows.ts';
import type { NewApproval } from '../../../../src/shared/approval.ts';
import type { Plan } from '../../../../src/shared/job/plan.ts';
import type { EventOf } from '../../../../src/shared/workspace/events.ts';
import { JOB_ID, newApproval, planOf, verdict } from '../../../support/state/builders.ts';
import { attemptEnded, sessionEnd } from '../../../support/state/fold.ts';
import { type Luck, pick } from './luck.ts';
import type { Dice, Progress, World } from './world.ts';

/** A question to the steward, with an id. */
function asked(world: World, patch: Partial<NewApproval>): NewApproval {
  return newApproval({ id: world.nextId('approvals'), ...patch });
}

export function ask(world: World, patch: Partial<NewApproval>): Progress {
  return world.commit({ type: 'approval_requested', approval: asked(world, patch) });
}

/** Tip of the commits that count. */
export function head(world: World): string {
  return world.job().head ?? '';
}

export function newHead(world: World): string {
  return `c${world.events.length}`;
}

/** What is under way comes to its end, whatever that is. */
export function finish(world: World, dice: Dice, luck: Luck): Progress {
  const flight = world.inFlight;
  if (flight === null) return 'idle';
  const { status } = world.job();
  if (['completed', 'failed', 'cancelled'].includes(status) || (status === 'paused' && dice(2) === 0)) {
    return abort(world);
  }
  const commandAsked = [...world.state.approvals.values()].some(
    (row) => row.status === 'pending' && row.kind === 'command',
  );
  if (commandAsked) return 'idle';
  world.inFlight = null;
  switch (flight.kind) {
    case 'planner':
      return finishPlanner(world, flight.sessionId, dice, luck);
    case 'summarizer':
      return finishSummary(world, flight.id, flight.sessionId);
    case 'review':
      return finishReview(world, flight.id, dice, luck);
    case 'attempt':
      return finishWorker(world, flight, dice, luck);
  }
}

function abort(world: World): Progress {
  const flight = world.inFlight;
  world.inFlight = null;
  world.conversation = null;
  if (flight === null || (flight.kind !== 'attempt' && flight.kind !== 'review')) return 'worked';
  if (world.state.attempts.get(flight.id)?.status !== 'running') return 'worked';
  return world.commit({ type: 'attempt_interrupted', id: flight.id, job_id: JOB_ID, cause: 'pause' });
}

function waitOrAskSteward(world: World): Progress {
  if (world.job().status === 'paused') return 'worked';
  const wake_at = new Date(world.now + 60_000).toISOString();
  return world.commit({ type: 'job_waiting', job_id: JOB_ID, reason: 'overloaded', wake_at });
}

function finishPlanner(world: World, sessionId: number, dice: Dice, luck: Luck): Progress {
  const end = pick(luck.planner, dice);
  if (end === 'unavailable') return waitOrAskSteward(world);
  const ended = sessionEnd(sessionId);
  const job = world.job();
  if (job.plan_accepted) return world.commit({ type: 'session_ended', session: ended });
  if (end === 'refused')
    return world.commit({ type: 'plan_refused', job_id: JOB_ID, feedback: 'no plan', by: 'engine', session: ended });
  const plan = randomPlan(dice);
  if (planFaults(plan).length > 0) throw new Error(`a faulty plan: ${planFaults(plan).join()}`);
  const version = job.plan_version + 1;
  return world.commit({
    type: 'plan_proposed',
    job_id: JOB_ID,
    plan_version: version,
    plan,
    by: 'planner',
    session: ended,
  });
}

/** One to three phases of one to three features; some depend on an earlier one. */
export function randomPlan(dice: Dice): Plan {
  const names: string[] = [];
  const phases: Record<string, string[]> = {};
  for (let p = 0; p <= dice(3); p++) {
    const features: string[] = [];
    for (let f = 0; f <= dice(3); f++) {
      const name = `f${names.length + 1}`;
      features.push(names.length > 0 && dice(2) === 0 ? `${name} < ${pick(names, dice)}` : name);
      names.push(name);
    }
    phases[`P${p + 1}`] = features;
  }
  return planOf(phases);
}

function finishSummary(world: World, phaseId: number, sessionId: number): Progress {
  const { attempt: number } = need(world.state, 'phases', phaseId);
  const about = { job_id: JOB_ID, phase_id: phaseId, attempt: number, summary: 'done', session: sessionEnd(sessionId) };
  return world.commit({ type: 'phase_summarized', ...about });
}

function finishReview(world: World, id: number, dice: Dice, luck: Luck): Progress {
  const end = pick(luck.review, dice);
  if (end === 'crash' || end === 'unavailable') {
    world.commit({ type: 'attempt_interrupted', id, job_id: JOB_ID, cause: end });
    return end === 'unavailable' ? waitOrAskSteward(world) : 'worked';
  }
  if (end === 'no_verdict') return endAttempt(world, id, { status: 'failed', session: 'failed' });
  const { phase_id } = need(world.state, 'attempts', id);
  const names = [...world.state.features.values()].map((row) => ({ name: row.name, here: row.phase_id === phase_id }));
  const reopen = end === 'REJECTED' && dice(2) === 0 ? [pick(names, dice).name, 'no such feature'] : [];
  return endAttempt(world, id, {
    status: 'succeeded',
    session: 'completed',
    verdict: verdict({ verdict: end, reopen }),
  });
}

type EndPatch = Pick<EventOf<'attempt_ended'>, 'status'> &
  Partial<Pick<EventOf<'attempt_ended'>, 'commit' | 'verdict' | 'approval' | 'feedback'>> & {
    readonly session: 'completed' | 'failed' | 'goes_on';
  };

/** The steward is quicker than the loop. */
function answerAtOnce(world: World): Progress {
  const id = Math.max(...world.state.approvals.keys());
  const answer = { decision: 'approved', choice: 'double', feedback: null, by: 'steward' } as const;
  return world.commit({ type: 'approval_decided', id, ...answer });
}

export function endAttempt(world: World, id: number, { session: how, ...patch }: EndPatch): Progress {
  const { session_id } = need(world.state, 'attempts', id);
  const session = how === 'goes_on' ? null : sessionEnd(session_id, how);
  if (session !== null) world.conversation = null;
  return world.commit(attemptEnded({ id, ...patch, session }));
}

function finishWorker(world: World, flight: { id: number; sessionId: number }, dice: Dice, luck: Luck): Progress {
  const { id } = flight;
  const end = pick(luck.worker, dice);
  const paused = world.job().status === 'paused';
  const featureId = need(world.state, 'attempts', id).feature_id;
  switch (end) {
    case 'succeeded':
    case 'unchanged': {
      const { conversation } = world;
      const alone = featureId === null || !isSideBySide(need(world.state, 'features', featureId));
      const goesOn = alone && conversation !== null && ++conversation.taken < world.job().options.batch;
      const commit = end === 'unchanged' ? head(world) : newHead(world);
      return endAttempt(world, id, { status: 'succeeded', commit, session: goesOn ? 'goes_on' : 'completed' });
    }
    case 'failed':
      return endAttempt(world, id, { status: 'failed', feedback: 'it is wrong', session: 'completed' });
    case 'stuck':
    case 'blocked': {
      const approval = asked(world, { kind: 'stuck', subject: `${end}:${featureId}`, feature_id: featureId });
      return endAttempt(world, id, { status: end, approval, session: 'completed' });
    }
    case 'abandoned':
      return endAttempt(world, id, { status: 'abandoned', session: 'failed' });
    case 'command':
      if (!paused) {
        world.inFlight = { kind: 'attempt', ...flight };
        ask(world, { kind: 'command', subject: `command:${world.events.length}` });
        return world.commit({ type: 'job_awaiting', job_id: JOB_ID, reason: 'a command' });
      }
      break;
    case 'limit':
    case 'crash':
    case 'unavailable':
      break;
  }
  world.conversation = null;
  const cause = end === 'crash' ? 'crash' : 'unavailable';
  world.commit({ type: 'attempt_interrupted', id, job_id: JOB_ID, cause });
  if (end === 'unavailable') return waitOrAskSteward(world);
  if (end === 'limit') {
    ask(world, { kind: 'limit', subject: `limit:job:${world.events.length}`, choices: ['double'] });
    if (dice(4) === 0) answerAtOnce(world);
    if (!paused) world.commit({ type: 'job_awaiting', job_id: JOB_ID, reason: 'a limit' });
  }
  return 'worked';
}
