/** Runs the loop of one job: decides the next action from the state alone, runs it, and decides again. */

import { type Busy, IN_LANE } from '../../core/job/action.ts';
import { lanesOf } from '../../core/job/lanes.ts';
import { nextActions } from '../../core/job/nextAction.ts';
import { oneByOne } from '../../core/session/oneByOne.ts';
import { isFinal, JOB } from '../../core/state/machines.ts';
import { jobApprovals, need, openAttempt } from '../../core/state/rows.ts';
import { AGENT_CRASHES, type AutonomousError, asFailure, findFailure } from '../../shared/errors.ts';
import type { AttemptRow, FeatureRow, JobRow } from '../../shared/job/rows.ts';
import { question, withoutAgent } from '../approval/questions.ts';
import { closeConversation, dropConversation } from './actions/attempt.ts';
import { type JobContext, type LoopPorts, newMemory, oneId, say } from './context.ts';
import { askOnce } from './laneQuestions.ts';
import { perform, type Work } from './perform.ts';
import { followHead } from './tree/checkpoints.ts';
import { keepAsItLies } from './tree/keptWork.ts';
import { ensureLane } from './tree/laneTree.ts';
import { dropScratch } from './tree/scratch.ts';
import { jobTree } from './tree/tree.ts';
import { waitFor } from './waitFor.ts';
import { quietShells } from './work/sessionShell.ts';

/** Consecutive rejections that are attributed to a person who was quicker. One more is reported as a bug. */
const MAX_OVERTAKEN = 5;

/** Time limit of waiting for the event. */
const OVERTAKEN_MS = 200;

/** Wait before resuming a session whose agent died: doubled each time, up to the second value. */
const CRASH_WAIT_MS = 1_000;

const MAX_CRASH_WAIT_MS = 60_000;

/** Deaths in a row of a session without an attempt, a planner's, after which the steward is asked. */
const MAX_DEATHS = 5;

/** Runs until the job has ended or is paused, or the signal aborts. Includes waiting for the steward or the clock. */
export async function runJob(ports: LoopPorts, jobId: string, signal: AbortSignal): Promise<void> {
  const lanes = new Lanes(ports, jobId, signal);
  try {
    await lanes.run();
  } finally {
    await lanes.close();
  }
}

interface Running {
  readonly done: Promise<unknown>;
  /** The feature that it works on. */
  readonly feature: number | null;
  readonly isOfJob: boolean;
  readonly isMerge: boolean;
}

/** The lanes of a job's loop: each runs one action at a time, with a memory of its own. */
class Lanes {
  readonly #ports: LoopPorts;
  readonly #jobId: string;
  /** Aborts with the loop, or if a lane fails in a way that ends the loop. */
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #contexts = new Map<number, JobContext>();
  readonly #running = new Map<number, Running>();
  readonly #onBranch = oneByOne();
  #failure: { readonly thrown: unknown } | null = null;

  constructor(ports: LoopPorts, jobId: string, signal: AbortSignal) {
    this.#ports = ports;
    this.#jobId = jobId;
    this.#signal = AbortSignal.any([signal, this.#stop.signal]);
  }

  async run(): Promise<void> {
    while (!this.#signal.aborted && (await this.#round())) {
      // Each round starts what is due, and waits for news.
    }
    await this.#end();
    if (this.#failure !== null) throw this.#failure.thrown;
    if (!this.#signal.aborted) for (const context of this.#contexts.values()) await closeConversation(context);
  }

  /** Returns false if the job is over. */
  async #round(): Promise<boolean> {
    const { store, clock } = this.#ports;
    const waits = new AbortController();
    // Before the decision, so that no event is missed after it.
    const changed = this.#change(waits.signal);
    try {
      const due = nextActions(store.state, this.#jobId, clock.now(), this.#busy());
      for (const { lane, action } of due) {
        if (action.do !== 'stop') this.#start(lane, action);
        else {
          // What still runs has no effect.
          if (this.#running.size > 0) this.#stop.abort();
          return false;
        }
      }
      await this.#showWait();
      await Promise.race([changed, ...[...this.#running.values()].map((one) => one.done)]);
      return true;
    } finally {
      waits.abort();
    }
  }

  /** Resolves at the next event that may make work for another lane. */
  async #change(stop: AbortSignal): Promise<void> {
    const { store } = this.#ports;
    const signal = AbortSignal.any([this.#signal, stop]);
    const isFull = (): boolean => this.#running.size === 1 && lanesOf(need(store.state, 'jobs', this.#jobId)) === 1;
    try {
      do await store.changed(signal);
      while (isFull());
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    }
  }

  /** Every lane ends its work. Call it after `run`. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#end();
    await allSettled([...this.#contexts.values()].map(closed));
  }

  #busy(): Busy {
    const features = [...this.#running.values()].flatMap(({ feature }) => (feature === null ? [] : [feature]));
    const running = [...this.#running.values()];
    return {
      lanes: new Set(this.#running.keys()),
      features: new Set(features),
      job: running.some((one) => one.isOfJob),
      merge: running.some((one) => one.isMerge),
    };
  }

  #start(lane: number, action: Work): void {
    const context = this.#context(lane);
    const isOfJob = !IN_LANE.has(action.do);
    const isAlone = isOfJob && this.#running.size === 0;
    const work = async (): Promise<void> => {
      if (isAlone) await this.#closeOthers(lane);
      await carryOut(context, action);
    };
    const done = work()
      .catch((thrown: unknown) => {
        this.#failure ??= { thrown };
        this.#stop.abort();
      })
      .finally(() => this.#running.delete(lane));
    this.#running.set(lane, { done, isOfJob, isMerge: action.do === 'integrate', feature: featureIn(action) });
  }

  #context(lane: number): JobContext {
    const known = this.#contexts.get(lane);
    if (known !== undefined) return known;
    const [jobId, signal, onBranch] = [this.#jobId, this.#signal, this.#onBranch];
    const made = { ...this.#ports, jobId, signal, onBranch, lane, memory: newMemory() };
    this.#contexts.set(lane, made);
    return made;
  }

  /** Conversations of other lanes do not continue after an action of the whole job. */
  async #closeOthers(lane: number): Promise<void> {
    for (const context of this.#contexts.values()) if (context.lane !== lane) await closeConversation(context);
  }

  /** Marks the job as waiting once every lane that works waits for an answer to a command of its own. */
  async #showWait(): Promise<void> {
    const { store } = this.#ports;
    if (lanesOf(need(store.state, 'jobs', this.#jobId)) === 1) return;
    const pending = jobApprovals(store.state, this.#jobId).filter((row) => row.status === 'pending');
    const isAsked = ({ feature }: Running): boolean => pending.some((row) => row.feature_id === feature);
    const [asked] = pending;
    if (this.#running.size === 0 || ![...this.#running.values()].every(isAsked)) return;
    if (asked === undefined || need(store.state, 'jobs', this.#jobId).status !== 'running') return;
    await store.commit({ type: 'job_awaiting', job_id: this.#jobId, reason: asked.question });
  }

  async #end(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map((one) => one.done));
  }
}

function featureIn(action: Work): number | null {
  if (action.do === 'attempt') return action.feature.id;
  return action.do === 'resume' || action.do === 'integrate' ? action.attempt.feature_id : null;
}

async function closed(context: JobContext): Promise<void> {
  try {
    await dropConversation(context);
  } finally {
    await dropScratch(context);
  }
}

/** Waits for all, then throws the first failure. */
async function allSettled(works: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(works);
  const failed = results.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

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
async function carryOut(context: JobContext, action: Work): Promise<void> {
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
