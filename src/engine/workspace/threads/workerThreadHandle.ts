/** The one thread that a project has at a time: started when it is wanted, loaded with its first work, replaced only when it is gone. */
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
  /** What the project needs of the state as it is now. */
  state(): State;
  /** Nobody stopped it. No other one is started before this resolves, which may take its time and does not reject. */
  died(cause: string): Promise<void>;
  /** One may be started again. */
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

  /** A thread is there, on its way out, or about to be started again. */
  get isLive(): boolean {
    return this.#thread !== null || this.#held !== null;
  }

  /** One that is there already, or a new one; false: not now, `free` will be called. Throws what starting one throws. */
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

  /** Work for the thread. What cannot be given now is to be given again when `free` is called. */
  give(work: (thread: ProjectThread) => void): void {
    if (!this.start() || this.#thread === null) return;
    if (!this.#loaded) this.#thread.load(this.#options.state());
    this.#loaded = true;
    work(this.#thread);
  }

  /** An event for a thread that holds state. `own` is asked only then; null: none of its business. */
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

  /** Ends the thread, gracefully if it can be. Resolves when it is gone and what is to be done then is done, which does not reject. */
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
