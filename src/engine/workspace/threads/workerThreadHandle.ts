/**
 * Manages the single thread of a project: starts it on demand, loads it before its first work, and replaces it only after it has
 * ended.
 */
import type { Clock } from '../../../shared/clock.ts';
import type { Event } from '../../../shared/workspace/events.ts';
import type { Change, State } from '../../../shared/workspace/state.ts';
import type { ProjectThread } from '../../project/threadPorts.ts';
import { watchThread } from './watchdog.ts';

/** VS Code gives an extension five seconds at its end. */
const GRACE_MS = 4_000;

export interface WorkerThreadHandleOptions {
  readonly clock: Clock;
  spawn(): ProjectThread;
  /** The part of the current state that the project needs. */
  state(): State;
  /**
   * Called when the thread ended without being stopped. No thread is started until the promise resolves. Must not reject; may be
   * slow.
   */
  died(cause: string): Promise<void>;
  /** Called when a thread may be started again. */
  free(): void;
}

export class WorkerThreadHandle {
  readonly #options: WorkerThreadHandleOptions;
  #thread: ProjectThread | null = null;
  #loaded = false;
  /** The last one is on its way out, or what follows its death: two are never there at once. */
  #held: Promise<void> | null = null;
  #unwatch: (() => void) | null = null;
  #over = false;

  constructor(options: WorkerThreadHandleOptions) {
    this.#options = options;
  }

  /** Whether a thread is running, ending or about to be restarted. */
  get isLive(): boolean {
    return this.#thread !== null || this.#held !== null;
  }

  /**
   * Starts a thread unless one is running. Returns false if that is not possible now; `free` is called later. Throws what
   * starting a thread throws.
   */
  start(): boolean {
    if (this.#thread !== null) return true;
    if (this.#over || this.#held !== null) return false;
    const thread = this.#options.spawn();
    this.#thread = thread;
    void thread.gone.then((cause) => {
      if (this.#thread !== thread) return;
      this.#forget();
      if (cause !== null) this.#hold(this.#options.died(cause));
    });
    return true;
  }

  /** Gives work to the thread. If there is no thread now, give the work again when `free` is called. */
  give(work: (thread: ProjectThread) => void): void {
    if (!this.start() || this.#thread === null) return;
    if (!this.#loaded) this.#thread.load(this.#options.state());
    this.#loaded = true;
    work(this.#thread);
  }

  /**
   * Passes an event to a thread that has state. `own` is called only then; it returns null if the event does not concern the
   * project.
   */
  fold(event: Event, own: () => readonly Change[] | null): void {
    if (this.#thread === null || !this.#loaded) return;
    const changes = own();
    if (changes !== null) this.#thread.fold(event, changes);
  }

  /** While it has work it is asked whether it answers. No timer runs while it has none. */
  watch(busy: boolean): void {
    if (busy && this.#thread !== null) {
      this.#unwatch ??= watchThread(this.#thread, this.#options.clock);
    } else {
      this.#unwatch?.();
      this.#unwatch = null;
    }
  }

  /** Ends the thread, gracefully if possible. Resolves after the thread has ended and `then` has run, which must not reject. */
  async part(then: () => Promise<void> = async () => undefined): Promise<void> {
    const thread = this.#thread;
    if (thread !== null) {
      this.#forget();
      this.#hold(thread.stop(GRACE_MS).then(then));
    }
    await this.#held;
  }

  /** None is started any more. */
  async close(): Promise<void> {
    this.#over = true;
    await this.part();
  }

  #forget(): void {
    this.#thread = null;
    this.#loaded = false;
    this.watch(false);
  }

  #hold(until: Promise<void>): void {
    const held: Promise<void> = until.then(() => {
      this.#held = null;
      if (!this.#over) this.#options.free();
    });
    this.#held = held;
  }
}
