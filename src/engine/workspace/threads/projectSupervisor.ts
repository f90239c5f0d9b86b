/**
 * Supervises the work of one project: its jobs, its conversation and steps of its tasks, in a worker thread that is restarted
 * when it dies.
 */

import { projectChanges, projectState } from '../../../core/project/projectState.ts';
import { isFinal, JOB } from '../../../core/state/machines.ts';
import { type Clock, isoTime } from '../../../shared/clock.ts';
import { ERROR_TRAITS, failure, findFailure, type PlainFailure, toPlain } from '../../../shared/errors.ts';
import type { LiveLine } from '../../../shared/live.ts';
import type { StepAssignment, StepResult } from '../../../shared/task/taskWork.ts';
import type { Event } from '../../../shared/workspace/events.ts';
import type { Change } from '../../../shared/workspace/state.ts';
import { type EvalResultsPort, routingRecord } from '../../job/routingRecord.ts';
import type { ConversationCalls, OwnerCalls, SpawnProjectThread, WorkerStart } from '../../project/threadPorts.ts';
import type { Store } from '../../state/store.ts';
import { PendingSteps } from './pendingSteps.ts';
import { WorkerThreadHandle } from './workerThreadHandle.ts';

const FIRST_DELAY_MS = 500;
/** Deaths in a row, with nothing committed in between, after which it is given up. */
const MAX_DEATHS = 3;
const DISK_AGAIN_MS = 30_000;
/** A model that is away is asked again this late, and later each time. */
const MODEL_AGAIN_MS = 60_000;
const MAX_AGAIN_MS = 15 * 60_000;

export interface ProjectSupervisorOptions extends ConversationCalls, EvalResultsPort, Pick<OwnerCalls, 'problem'> {
  readonly projectId: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly spawn: SpawnProjectThread;
  /** Returns the current start parameters of a thread. */
  start(): Omit<WorkerStart, 'epoch'>;
  live(line: LiveLine): void;
  /** Called when a job's loop ends. After DISK it resumes automatically; most other failures pause the job. */
  ended(jobId: string, failure: PlainFailure | null): void;
  /** Reports the fate of the thread in the project's conversation. Best effort. */
  tell(text: string): Promise<void>;
  /** The thread died too often: nothing is in hand any more. Best effort. */
  gaveUp(why: string): Promise<void>;
}

export class ProjectSupervisor {
  readonly #options: ProjectSupervisorOptions;
  readonly #handle: WorkerThreadHandle;
  /** Running jobs, each with the number of its newest run. The end of an older run is ignored. */
  readonly #jobs = new Map<string, number>();
  /** The newest run of the conversation, null if none is running. */
  #talk: number | null = null;
  readonly #steps = new PendingSteps(() => this.#done());
  /** A thread is wanted even while nothing is in hand. */
  #kept = false;
  readonly #stopping = new AbortController();
  readonly #recovering = new Set<Promise<void>>();
  #runs = 0;
  #deaths = 0;
  #talkFailures = 0;
  /** Incremented by `rest`: work that waited for a time before a rest does not continue after it. */
  #rests = 0;
  /** A failed turn is tried again later. */
  #triesAgain = false;
  /** The start parameters of the current thread, as JSON. */
  #told = '';

  constructor(options: ProjectSupervisorOptions) {
    this.#options = options;
    this.#handle = new WorkerThreadHandle({
      clock: options.clock,
      spawn: () => {
        const start = options.start();
        this.#told = JSON.stringify(start);
        return options.spawn({ ...start, epoch: options.store.epoch }, this.#calls());
      },
      state: () => projectState(options.store.state, options.projectId),
      died: (cause) => this.#recover([...this.#jobs.keys()], () => this.#died(cause)),
      free: () => this.#goOn(),
    });
  }

  hasInHand(jobId: string): boolean {
    return this.#jobs.has(jobId);
  }

  /** Ids of the jobs whose loop runs. */
  get jobs(): readonly string[] {
    return [...this.#jobs.keys()];
  }

  /** Whether a turn of the conversation is in hand, or is tried again later. */
  get isTalking(): boolean {
    return this.#talk !== null || this.#triesAgain;
  }

  get isLive(): boolean {
    return this.#handle.isLive;
  }

  /** Keeps a thread running, with or without work. */
  keep(): void {
    this.#kept = true;
    this.#handle.start();
  }

  /** Starts the job. Idempotent. */
  work(jobId: string): void {
    if (this.#stopping.signal.aborted) return;
    const run = ++this.#runs;
    this.#jobs.set(jobId, run);
    this.#handle.give((thread) => thread.work(jobId, run));
    this.#handle.watch(true);
  }

  /** The conversation has something to answer; asking again is harmless. */
  converse(): void {
    if (this.#stopping.signal.aborted) return;
    const run = ++this.#runs;
    this.#talk = run;
    this.#handle.give((thread) => thread.converse(run));
    this.#handle.watch(true);
  }

  /** Runs a step of a task. A step that ends without a result resolves to `interrupted` or `aborted`. */
  async step(order: StepAssignment, signal: AbortSignal): Promise<StepResult> {
    if (this.#stopping.signal.aborted || signal.aborted) return { outcome: 'aborted' };
    const result = this.#steps.take(order, signal);
    this.#offerSteps();
    return result;
  }

  /** Call for each committed event, in order, after the state has it. */
  fold(event: Event, changes: readonly Change[]): void {
    const { store, projectId } = this.#options;
    this.#handle.fold(event, () => projectChanges(store.state, projectId, event, changes));
  }

  /** Replaces an idle thread if its start parameters have changed. */
  refresh(): void {
    if (!this.#isBusy && this.#told !== JSON.stringify(this.#options.start())) void this.#handle.part();
  }

  /** Interrupts all work durably, so that it can be resumed later. */
  async rest(): Promise<void> {
    this.#kept = false;
    this.#deaths = 0;
    this.#rests++;
    const jobs = new Set(this.#jobs.keys());
    this.#jobs.clear();
    this.#talk = null;
    this.#steps.drop({ outcome: 'aborted' });
    // A thread that was terminated in the middle of an attempt has not recorded the interruption.
    await this.#handle.part(() => this.#recover([], () => this.#interruptAttempts(jobs, 'pause')));
  }

  async stop(): Promise<void> {
    this.#stopping.abort(failure('ABORTED', 'the owner stops'));
    this.#steps.drop({ outcome: 'aborted' });
    await this.#handle.close();
    await Promise.all(this.#recovering);
  }

  get #isBusy(): boolean {
    return this.#jobs.size > 0 || this.#talk !== null || !this.#steps.isEmpty;
  }

  #done(): void {
    this.#handle.watch(this.#isBusy);
    this.refresh();
  }

  /** Continues all work in another thread. */
  #goOn(): void {
    for (const jobId of [...this.#jobs.keys()]) this.#again(jobId);
    if (this.#talk !== null) this.#talkAgain();
    if (!this.#steps.isEmpty) this.#offerSteps();
    if (!this.#kept) return;
    try {
      this.#handle.start();
    } catch (thrown) {
      void this.#recover([], () => this.#options.gaveUp(`no worker thread can be started: ${toPlain(thrown).message}`));
    }
  }

  #offerSteps(): void {
    try {
      this.#handle.give((thread) => this.#steps.give(thread));
      this.#handle.watch(true);
    } catch (thrown) {
      const error = `no worker thread can be started: ${toPlain(thrown).message}`;
      this.#steps.drop({ outcome: 'interrupted', error });
    }
  }

  #again(jobId: string): void {
    try {
      this.work(jobId);
    } catch (thrown) {
      this.#ended(jobId, toPlain(thrown));
    }
  }

  #talkAgain(): void {
    try {
      this.converse();
    } catch (thrown) {
      this.#conversed(toPlain(thrown));
    }
  }

  #calls(): OwnerCalls {
    const { store, live, problem, submitBrief, taskTool, jobTool, recall, mainTool, briefing, delivery } =
      this.#options;
    return {
      commit: async (draft) => {
        try {
          const event = await store.commit(draft);
          this.#deaths = 0;
          return { value: event };
        } catch (thrown) {
          return { failure: toPlain(thrown) };
        }
      },
      nextIds: async (table, count) => store.nextIds(table as Parameters<Store['nextIds']>[0], count),
      routingRecord: (provider) => routingRecord(this.#options, store.state, provider),
      live,
      problem,
      ended: (jobId, run, failed) => {
        if (this.#jobs.get(jobId) === run) this.#ended(jobId, failed);
      },
      submitBrief,
      taskTool,
      jobTool,
      recall,
      mainTool,
      briefing,
      delivery,
      conversed: (run, failed) => {
        if (this.#talk === run) this.#conversed(failed);
      },
    };
  }

  #ended(jobId: string, failed: PlainFailure | null): void {
    this.#jobs.delete(jobId);
    this.#done();
    if (failed === null || failed.code === 'OWNER_LOST') this.#options.ended(jobId, failed);
    else void this.#recover([jobId], () => this.#afterFailure(jobId, failed));
  }

  #conversed(failed: PlainFailure | null): void {
    this.#talk = null;
    this.#done();
    if (failed === null) this.#talkFailures = 0;
    else if (failed.code !== 'OWNER_LOST') void this.#recover([], () => this.#afterTalkFailure(failed));
  }

  /** Retries a temporary failure with growing delays; reports a permanent one in the conversation. */
  async #afterTalkFailure({ code, message, hint }: PlainFailure): Promise<void> {
    const { clock, tell } = this.#options;
    if (!ERROR_TRAITS[code].retry) return tell(`The conversation cannot continue: ${message}. ${hint}`.trim());
    const later = Math.min(MODEL_AGAIN_MS * 2 ** this.#talkFailures++, MAX_AGAIN_MS);
    const rests = this.#rests;
    this.#triesAgain = true;
    try {
      await clock.sleep(code === 'DISK' ? DISK_AGAIN_MS : later, this.#stopping.signal);
    } finally {
      this.#triesAgain = false;
    }
    if (this.#talk === null && rests === this.#rests) this.#talkAgain();
  }

  /** Runs work that no caller waits for. Failures are reported for its jobs and have no other effect. */
  #recover(jobIds: readonly string[], work: () => Promise<void>): Promise<void> {
    const done = work().catch((thrown: unknown) => {
      if (this.#stopping.signal.aborted) return;
      const failed = toPlain(thrown);
      for (const jobId of jobIds) {
        if (failed.code === 'DISK') this.#ended(jobId, failed);
        else this.#options.ended(jobId, failed);
      }
    });
    this.#recovering.add(done);
    void done.then(() => this.#recovering.delete(done));
    return done;
  }

  /** Retries after a full disk. An unexpected failure pauses the job, so that its status shows that the job is not running. */
  async #afterFailure(jobId: string, failed: PlainFailure): Promise<void> {
    if (failed.code === 'DISK') {
      const rests = this.#rests;
      this.#options.ended(jobId, failed);
      await this.#options.clock.sleep(DISK_AGAIN_MS, this.#stopping.signal);
      if (!this.#jobs.has(jobId) && rests === this.#rests) this.#again(jobId);
      return;
    }
    try {
      await this.#pause(jobId, failed.message);
    } finally {
      this.#options.ended(jobId, failed);
    }
  }

  /** A person may have paused or ended it meanwhile: then there is nothing to do. */
  async #pause(jobId: string, reason: string): Promise<void> {
    const job = this.#options.store.state.jobs.get(jobId);
    if (job === undefined || job.status === 'paused' || isFinal(JOB, job.status)) return;
    try {
      await this.#options.store.commit({ type: 'job_paused', job_id: jobId, reason, by: 'engine' });
    } catch (thrown) {
      if (findFailure(thrown)?.code !== 'ILLEGAL_TRANSITION') throw thrown;
    }
  }

  /** The attempts that died with the thread are interrupted; then it may start again, later each time. */
  async #died(cause: string): Promise<void> {
    const { clock, live, tell } = this.#options;
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    // A step in its hands may have killed it: that is counted with the step, and only there. They end after this was called.
    const counted = !this.#steps.areGiven;
    if (counted) this.#deaths++;
    const text = `the worker thread died: ${cause}`;
    live({ at: isoTime(clock), jobId: '', sessionId: null, featureId: null, text });
    const [first = ''] = cause.split('\n', 1);
    await this.#interruptAttempts(new Set(this.#jobs.keys()), 'crash');
    if (this.#deaths >= MAX_DEATHS)
      return this.#giveUp(`the worker thread died ${this.#deaths} times in a row: ${first}`);
    if (counted) await tell(`The worker thread died and is started again; nothing is lost. The cause: ${first}`);
    await clock.sleep(FIRST_DELAY_MS * 2 ** Math.max(0, this.#deaths - 1), signal);
  }

  async #interruptAttempts(jobs: ReadonlySet<string>, cause: 'crash' | 'pause'): Promise<void> {
    const { store } = this.#options;
    for (const { id, job_id, status } of [...store.state.attempts.values()]) {
      if (status !== 'running' || !jobs.has(job_id)) continue;
      try {
        await store.commit({ type: 'attempt_interrupted', id, job_id, cause });
      } catch (thrown) {
        // Ended by a person just now, it needs no interruption.
        if (findFailure(thrown)?.code !== 'ILLEGAL_TRANSITION') this.#ended(job_id, toPlain(thrown));
      }
    }
  }

  async #giveUp(message: string): Promise<void> {
    this.#deaths = 0;
    this.#talk = null;
    const hint = 'Look at the log, then resume the job.';
    for (const jobId of [...this.#jobs.keys()]) this.#ended(jobId, { code: 'WORKER_DIED', message, hint, details: {} });
    await this.#options.gaveUp(message);
  }
}
