/** Runs one action of a lane, and handles its failures: a crash is resumed, a failure of the machine or the repository asks the steward. */
import { isFinal, JOB } from '../../../core/state/machines.ts';
import { need, openAttempt } from '../../../core/state/rows.ts';
import { AGENT_CRASHES, type AutonomousError, asFailure, findFailure } from '../../../shared/errors.ts';
import type { AttemptRow, FeatureRow, JobRow } from '../../../shared/job/rows.ts';
import { question, withoutAgent } from '../../approval/questions.ts';
import { dropConversation } from '../actions/attempt.ts';
import { type JobContext, oneId, say } from '../context.ts';
import { perform, type Work } from '../perform.ts';
import { followHead } from '../tree/checkpoints.ts';
import { keepAsItLies } from '../tree/keptWork.ts';
import { ensureLane } from '../tree/laneTree.ts';
import { jobTree } from '../tree/tree.ts';
import { waitFor } from '../waitFor.ts';
import { quietShells } from '../work/sessionShell.ts';
import { askOnce } from './laneQuestions.ts';

/** Consecutive rejections that are attributed to a person who was quicker. One more is reported as a bug. */
const MAX_OVERTAKEN = 5;

/** Time limit of waiting for the event. */
const OVERTAKEN_MS = 200;

/** Wait before resuming a session whose agent died: doubled each time, up to the second value. */
const CRASH_WAIT_MS = 1_000;

const MAX_CRASH_WAIT_MS = 60_000;

/** Deaths in a row of a session without an attempt, a planner's, after which the steward is asked. */
const MAX_DEATHS = 5;

/** Actions in a work tree. */
const NEEDS_TREE: ReadonlySet<Work['do']> = new Set(['attempt', 'resume']);

/** Actions in which a session, a command or a person may look at the clone's git. */
const NEEDS_HEAD: ReadonlySet<Work['do']> = new Set([
  'attempt',
  'resume',
  'pick',
  'summarize',
  'review',
  'verify_result',
]);

/** Runs one action. A failure of the machine or the repository parks the job with its reason instead of ending it. */
export async function carryOut(context: JobContext, action: Work): Promise<void> {
  const overtaken = await outcomeOf(context, action, context.memory.overtaken < MAX_OVERTAKEN);
  context.memory.overtaken = overtaken === 'overtaken' ? context.memory.overtaken + 1 : 0;
}

async function outcomeOf(context: JobContext, action: Work, mayBeOvertaken: boolean): Promise<'over' | 'overtaken'> {
  try {
    if (NEEDS_TREE.has(action.do)) await ensureLane(context);
    if (NEEDS_HEAD.has(action.do)) await followHead(context);
    await perform(context, action);
    context.memory.deaths = 0;
  } catch (thrown) {
    await quietShells(context, 'the attempt was interrupted');
    if (context.signal.aborted) {
      await interruptOpen(context);
      return 'over';
    }
    const failure = findFailure(thrown) ?? asFailure(thrown);
    if (AGENT_CRASHES.includes(failure.code) && (await crashed(context, failure))) return 'over';
    if (failure.code === 'OWNER_LOST' || failure.code === 'DISK' || failure.code === 'INTERNAL') throw thrown;
    if (mayBeOvertaken && (failure.code === 'ILLEGAL_TRANSITION' || isGone(context, action))) {
      await newsOf(context);
      return 'overtaken';
    }
    if (failure.code === 'CLONE_MISSING') await cloneLost(context, failure);
    else await park(context, failure);
  }
  return 'over';
}

/** Whether the feature was removed from the plan after its lane began with it. */
function isGone({ store }: JobContext, action: Work): boolean {
  return action.do === 'attempt' && !store.state.features.has(action.feature.id);
}

/**
 * Handles the death of an external agent's process: like after a death of this process, the session is resumed, after a growing
 * delay. Returns false if a person must decide. Deaths in an attempt are counted in its row, and the question is asked from
 * there.
 */
async function crashed(context: JobContext, failure: AutonomousError): Promise<boolean> {
  await dropConversation(context);
  const open = runningAttempt(context);
  if (open === undefined) {
    const deaths = context.memory.deaths + 1;
    context.memory.deaths = deaths % MAX_DEATHS;
    if (deaths === MAX_DEATHS) return false;
    say(context, failure.message);
    await rest(context, deaths - 1, () => true);
    return true;
  }
  say(context, failure.message, { sessionId: open.session_id });
  await keepAsItLies(context, open);
  await context.store.commit({ type: 'attempt_interrupted', id: open.id, job_id: open.job_id, cause: 'crash' });
  const { attempts } = context.store.state;
  await rest(context, open.interruptions, () => attempts.get(open.id)?.status === 'interrupted');
  return true;
}

/** Waits longer each time, as long as there is work to resume. */
async function rest(context: JobContext, times: number, isDue: () => boolean): Promise<void> {
  const { clock } = context;
  const end = clock.monotonic() + Math.min(MAX_CRASH_WAIT_MS, CRASH_WAIT_MS * 2 ** times);
  while (isDue() && clock.monotonic() < end) await waitFor(context, end - clock.monotonic());
}

/** A person was quicker than the loop: waits until their change arrives, then decides again. */
async function newsOf(context: JobContext): Promise<void> {
  await waitFor(context, OVERTAKEN_MS).catch((thrown: unknown) => {
    if (!context.signal.aborted) throw thrown;
  });
}

/** Ends all work when the loop stops in the middle of an action. */
async function interruptOpen(context: JobContext): Promise<void> {
  const open = runningAttempt(context);
  if (open === undefined) return;
  await keepAsItLies(context, open);
  await context.store.commit({ type: 'attempt_interrupted', id: open.id, job_id: open.job_id, cause: 'pause' });
}

function runningAttempt(context: JobContext): AttemptRow | undefined {
  const open = openAttempt(context.store.state, context.jobId, context.lane);
  return open?.status === 'running' ? open : undefined;
}

function featureOf({ store }: JobContext, attempt: AttemptRow | undefined): FeatureRow | null {
  return attempt?.feature_id == null ? null : need(store.state, 'features', attempt.feature_id);
}

/**
 * Restores the clone as part of the setup. If that failed for the same reason, the git directory is missing too: the job pauses
 * instead of asking, because an approval would run into the same failure.
 */
async function cloneLost(context: JobContext, failure: AutonomousError): Promise<void> {
  await dropConversation(context);
  Object.assign(context.memory, { lastCheckpoint: null, touched: null, followed: null, setup: null });
  const job = need(context.store.state, 'jobs', context.jobId);
  if (isFinal(JOB, job.status)) return;
  const open = runningAttempt(context);
  if (job.merging) await context.store.commit({ type: 'merge_ended', job_id: job.id, reason: failure.message });
  if (open !== undefined)
    await context.store.commit({ type: 'attempt_interrupted', id: open.id, job_id: job.id, cause: 'unavailable' });
  // The tree of a lane is made again for its next action, with the setup of the clone.
  if (context.lane > 0 && (await hasClone(context, job))) return;
  const reason = `${failure.message}. ${failure.hint}`.trim();
  if (job.setup_done) await context.store.commit({ type: 'clone_lost', job_id: job.id });
  else await context.store.commit({ type: 'job_paused', job_id: job.id, reason, by: 'engine' });
}

/** Whether the clone itself exists. */
async function hasClone({ git, projectDir }: JobContext, job: JobRow): Promise<boolean> {
  try {
    await git.requireClone(jobTree(projectDir, job));
    return true;
  } catch (thrown) {
    if (findFailure(thrown)?.code !== 'CLONE_MISSING') throw thrown;
    return false;
  }
}

async function park(context: JobContext, failure: AutonomousError): Promise<void> {
  // The session stays open, so that the attempt interrupted here can resume it.
  await dropConversation(context);
  const { state } = context.store;
  const job = need(state, 'jobs', context.jobId);
  if (isFinal(JOB, job.status)) return;
  const open = runningAttempt(context);
  if (job.merging) await context.store.commit({ type: 'merge_ended', job_id: job.id, reason: failure.message });
  if (open !== undefined) {
    await keepAsItLies(context, open);
    await context.store.commit({ type: 'attempt_interrupted', id: open.id, job_id: job.id, cause: 'unavailable' });
  }
  const id = await oneId(context, 'approvals');
  const approval = question(job, id, {
    kind: 'provider',
    about: { of: 'failure', code: failure.code, id },
    question: `${failure.message}. Try again?`,
    detail: [failure.hint, withoutAgent(featureOf(context, open), failure.code)]
      .filter((part) => part !== '')
      .join(' '),
  });
  await askOnce(context, approval);
}
