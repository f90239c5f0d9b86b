/** Keeps one worker thread per active project alive while it has work, and brings it back when it dies. */
import type { Store } from '../engine/store.ts';
import type { Clock } from '../shared/clock.ts';
import { type PlainFailure, toPlain } from '../shared/errors.ts';
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
  /** A job's loop is over, for whoever waits for it. */
  ended(jobId: string, failure: PlainFailure | null): void;
}

export class ProjectHost {
  readonly #options: ProjectHostOptions;
  readonly #jobs = new Set<string>();
  readonly #unsubscribe: () => void;
  #thread: ProjectThread | null = null;
  #deaths = 0;
  #stopped = false;

  constructor(options: ProjectHostOptions) {
    this.#options = options;
    this.#unsubscribe = options.store.subscribe((event) => this.#thread?.fold(event));
  }

  /** Carries the job out from now on; asking again is harmless. */
  work(jobId: string): void {
    if (this.#stopped) return;
    this.#jobs.add(jobId);
    this.#alive().work(jobId);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#thread?.stop(GRACE_MS);
    this.#unsubscribe();
  }

  #alive(): ProjectThread {
    if (this.#thread !== null) return this.#thread;
    const { store, start } = this.#options;
    const thread = this.#options.spawn({ ...start, state: store.state, epoch: store.epoch }, this.#calls());
    this.#thread = thread;
    void thread.gone.then((cause) => {
      if (this.#thread === thread) this.#thread = null;
      if (cause !== null && !this.#stopped) return this.#bringBack(cause);
      return undefined;
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
      ended: (jobId, failure) => {
        this.#jobs.delete(jobId);
        this.#options.ended(jobId, failure);
        if (failure !== null) void this.#afterFailure(jobId, failure);
      },
    };
  }

  /** A full disk is looked at again; what nobody expected pauses the job, so that its status says that nobody works on it. */
  async #afterFailure(jobId: string, failed: PlainFailure): Promise<void> {
    const { store, clock } = this.#options;
    if (failed.code === 'OWNER_LOST') return;
    if (failed.code === 'DISK') {
      await clock.sleep(DISK_AGAIN_MS);
      this.work(jobId);
      return;
    }
    try {
      await store.commit({ type: 'job_paused', job_id: jobId, reason: failed.message, by: 'engine' });
    } catch (thrown) {
      this.#options.ended(jobId, toPlain(thrown));
    }
  }

  /** The attempts that died with the thread are interrupted; then it starts again, later each time. */
  async #bringBack(cause: string): Promise<void> {
    const { store, clock } = this.#options;
    this.#deaths++;
    this.#options.live({
      at: new Date(clock.now()).toISOString(),
      jobId: '',
      sessionId: null,
      featureId: null,
      text: `the worker thread died: ${cause}`,
    });
    for (const attempt of store.state.attempts.values()) {
      if (attempt.status !== 'running' || !this.#jobs.has(attempt.job_id)) continue;
      await store.commit({ type: 'attempt_interrupted', id: attempt.id, job_id: attempt.job_id, cause: 'crash' });
    }
    if (this.#deaths >= MAX_DEATHS) return this.#giveUp(cause);
    await clock.sleep(FIRST_DELAY_MS * 2 ** (this.#deaths - 1));
    if (this.#stopped) return;
    for (const jobId of this.#jobs) this.#alive().work(jobId);
  }

  async #giveUp(cause: string): Promise<void> {
    const reason = `the worker thread died ${this.#deaths} times in a row: ${cause.split('\n', 1)[0] ?? ''}`;
    for (const jobId of [...this.#jobs]) {
      this.#jobs.delete(jobId);
      await this.#options.store.commit({ type: 'job_paused', job_id: jobId, reason, by: 'engine' });
      this.#options.ended(jobId, {
        code: 'WORKER_DIED',
        message: reason,
        hint: 'Look at the log, then resume the job.',
        details: {},
      });
    }
    this.#deaths = 0;
  }
}
