/** Keeps one worker thread per active project alive while it has work, and brings it back when it dies. */
import { isFinal, JOB } from '../core/machines.ts';
import type { Store } from '../engine/store.ts';
import { type Clock, isoTime } from '../shared/clock.ts';
import { failure, findFailure, type PlainFailure, toPlain } from '../shared/errors.ts';
import type { LiveLine } from '../shared/live.ts';
import type { OwnerCalls, ProjectThread, SpawnProjectThread, WorkerStart } from './ports.ts';

/** VS Code gives an extension five seconds at its end. */
const GRACE_MS = 4_000;
const FIRST_DELAY_MS = 500;
/** Deaths in a row, with nothing committed in between, after which its jobs are paused. */
const MAX_DEATHS = 3;
const DISK_AGAIN_MS = 30_000;

export interface ProjectHostOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly spawn: SpawnProjectThread;
  readonly start: Omit<WorkerStart, 'state' | 'epoch'>;
  live(line: LiveLine): void;
  /** A job's loop is over, for whoever waits for it. After DISK it goes on by itself; for most others the job is paused. */
  ended(jobId: string, failure: PlainFailure | null): void;
}

export class ProjectHost {
  readonly #options: ProjectHostOptions;
  /** Jobs under way, each with the number of its newest run: the end of an older one is no news. */
  readonly #jobs = new Map<string, number>();
  readonly #unsubscribe: () => void;
  readonly #stopping = new AbortController();
  readonly #recovering = new Set<Promise<void>>();
  #runs = 0;
  #thread: ProjectThread | null = null;
  #deaths = 0;

  constructor(options: ProjectHostOptions) {
    this.#options = options;
    this.#unsubscribe = options.store.subscribe((event) => this.#thread?.fold(event));
  }

  /** Carries the job out from now on; asking again is harmless. */
  work(jobId: string): void {
    if (this.#stopping.signal.aborted) return;
    const run = ++this.#runs;
    this.#jobs.set(jobId, run);
    this.#alive().work(jobId, run);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(failure('ABORTED', 'the owner stops'));
    await this.#thread?.stop(GRACE_MS);
    await Promise.all(this.#recovering);
    this.#unsubscribe();
  }

  #alive(): ProjectThread {
    if (this.#thread !== null) return this.#thread;
    const { store, start } = this.#options;
    const thread = this.#options.spawn({ ...start, state: store.state, epoch: store.epoch }, this.#calls());
    this.#thread = thread;
    void thread.gone.then((cause) => {
      if (this.#thread === thread) this.#thread = null;
      if (cause !== null) this.#recover([...this.#jobs.keys()], () => this.#bringBack(cause));
    });
    return thread;
  }

  #calls(): OwnerCalls {
    const { store } = this.#options;
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
      live: (line) => this.#options.live(line),
      ended: (jobId, run, failed) => {
        if (this.#jobs.get(jobId) === run) this.#ended(jobId, failed);
      },
    };
  }

  #ended(jobId: string, failed: PlainFailure | null): void {
    this.#jobs.delete(jobId);
    if (failed === null || failed.code === 'OWNER_LOST') this.#options.ended(jobId, failed);
    else this.#recover([jobId], () => this.#afterFailure(jobId, failed));
  }

  /** Work that nobody waits for: whatever it throws is told of the jobs that it was for, and ends nothing else. */
  #recover(jobIds: readonly string[], work: () => Promise<void>): void {
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
  }

  /** A full disk is looked at again; what nobody expected pauses the job, so that its status says that nobody works on it. */
  async #afterFailure(jobId: string, failed: PlainFailure): Promise<void> {
    if (failed.code === 'DISK') {
      this.#options.ended(jobId, failed);
      await this.#options.clock.sleep(DISK_AGAIN_MS, this.#stopping.signal);
      if (!this.#jobs.has(jobId)) this.#again(jobId);
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

  /** The attempts that died with the thread are interrupted; then it starts again, later each time. */
  async #bringBack(cause: string): Promise<void> {
    const { store, clock } = this.#options;
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    this.#deaths++;
    this.#options.live({
      at: isoTime(clock),
      jobId: '',
      sessionId: null,
      featureId: null,
      text: `the worker thread died: ${cause}`,
    });
    for (const { id, job_id, status } of [...store.state.attempts.values()]) {
      if (status !== 'running' || !this.#jobs.has(job_id)) continue;
      try {
        await store.commit({ type: 'attempt_interrupted', id, job_id, cause: 'crash' });
      } catch (thrown) {
        // Ended by a person just now, it needs no interruption.
        if (findFailure(thrown)?.code !== 'ILLEGAL_TRANSITION') this.#ended(job_id, toPlain(thrown));
      }
    }
    if (this.#deaths >= MAX_DEATHS) return this.#giveUp(cause);
    await clock.sleep(FIRST_DELAY_MS * 2 ** (this.#deaths - 1), signal);
    for (const jobId of [...this.#jobs.keys()]) this.#again(jobId);
  }

  #again(jobId: string): void {
    try {
      this.work(jobId);
    } catch (thrown) {
      this.#ended(jobId, toPlain(thrown));
    }
  }

  async #giveUp(cause: string): Promise<void> {
    const message = `the worker thread died ${this.#deaths} times in a row: ${cause.split('\n', 1)[0] ?? ''}`;
    const hint = 'Look at the log, then resume the job.';
    this.#deaths = 0;
    for (const jobId of [...this.#jobs.keys()]) this.#ended(jobId, { code: 'WORKER_DIED', message, hint, details: {} });
  }
}
