/** The lanes of a job's loop: starts the actions that are due, each in its lane, and waits for news. */
import { type Busy, IN_LANE } from '../../../core/job/action.ts';
import { lanesOf } from '../../../core/job/lanes.ts';
import { nextActions } from '../../../core/job/nextAction.ts';
import { oneByOne } from '../../../core/session/oneByOne.ts';
import { answersOf, jobApprovals, need } from '../../../core/state/rows.ts';
import { closeConversation, dropConversation } from '../actions/attempt.ts';
import { type JobContext, type LoopPorts, newMemory } from '../context.ts';
import type { Work } from '../perform.ts';
import { dropScratch } from '../tree/scratch.ts';
import { carryOut } from './carryOut.ts';

interface Running {
  readonly done: Promise<unknown>;
  /** The feature that it works on. */
  readonly feature: number | null;
  readonly isOfJob: boolean;
  readonly isMerge: boolean;
}

/** Each lane runs one action at a time, with a memory of its own. */
export class Lanes {
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
    await this.#endLeft();
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

  /** A loop that failed or was paused left its conversations between two features, as a process does that ends. */
  async #endLeft(): Promise<void> {
    const { store } = this.#ports;
    for (const { id, job_id, role, status, attempt_id } of [...store.state.sessions.values()]) {
      if (job_id !== this.#jobId || role !== 'worker' || status !== 'running' || attempt_id !== null) continue;
      const turns = answersOf(store.state, id);
      await store.commit({ type: 'session_ended', session: { id, status: 'completed', error_message: null, turns } });
    }
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
