/** Keeps the machine awake while work of this process runs or continues soon. Sets a timer only while it does. */

import { needsMachine } from '../../core/workspace/work/needsMachine.ts';
import type { Clock } from '../../shared/clock.ts';
import { asFailure } from '../../shared/errors.ts';
import type { AtWork } from '../../shared/workspace/atWork.ts';
import type { Store } from '../state/store.ts';

/** A machine without a user would sleep at once between two pieces of work. */
const GRACE_MS = 60_000;

export interface KeepAwakePorts {
  readonly store: Pick<Store, 'state' | 'subscribe'>;
  readonly clock: Clock;
  atWork(): AtWork;
  /** The setting of the user at present. */
  wanted(): boolean;
  /**
   * Returns a function that lets the machine sleep again. Calls `failed` if the machine does not stay awake. Throws NOT_FOUND if this
   * system has no program for it.
   */
  hold(failed: (thrown: unknown) => void): () => void;
  /** Logs a problem that no caller is waiting for. */
  problem(text: string): void;
}

export class KeepAwake {
  readonly #ports: KeepAwakePorts;
  readonly #unsubscribe: () => void;
  /** Null while the machine may sleep. */
  #release: (() => void) | null = null;
  #fault: string | null = null;
  #isEnding = false;
  #cancel = (): void => undefined;

  constructor(ports: KeepAwakePorts) {
    this.#ports = ports;
    this.#unsubscribe = ports.store.subscribe(() => this.#look());
    this.#look();
  }

  get awake(): AtWork['awake'] {
    return this.#release === null || this.#isEnding ? undefined : { fault: this.#fault };
  }

  close(): void {
    this.#unsubscribe();
    this.#let();
  }

  get #isNeeded(): boolean {
    const { store, clock, atWork, wanted } = this.#ports;
    return wanted() && needsMachine(store.state, atWork(), clock.now());
  }

  #look(): void {
    const isNeeded = this.#isNeeded;
    if (this.#release === null) {
      if (isNeeded) this.#hold();
    } else if (isNeeded === this.#isEnding) this.#arm(!isNeeded);
  }

  /** A failure is not retried until other work needs the machine. */
  #hold(): void {
    this.#fault = null;
    this.#release = () => undefined;
    this.#arm(false);
    try {
      this.#release = this.#ports.hold((thrown) => this.#failed(thrown));
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  /** Work can also end without an event. */
  #arm(isEnding: boolean): void {
    this.#cancel();
    this.#isEnding = isEnding;
    this.#cancel = this.#ports.clock.timer(GRACE_MS, () => (this.#isNeeded ? this.#arm(false) : this.#let()));
  }

  #let(): void {
    this.#cancel();
    this.#release?.();
    this.#release = null;
  }

  /** Many servers and containers lack the program and do not sleep: this is only shown. */
  #failed(thrown: unknown): void {
    const { code, message } = asFailure(thrown);
    this.#fault = message;
    if (code !== 'NOT_FOUND') this.#ports.problem(`this machine may sleep while work runs: ${message}`);
  }
}
