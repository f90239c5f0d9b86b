/** A virtual machine with our clock on it, and the promises that were broken on it. */
import type { Clock } from '../../../src/shared/clock.ts';
import type { Judged } from './judged.ts';
import type { VirtualMachine } from './virtualMachine.ts';

export type TimePromise =
  | 'false deaths'
  | 'deaths that were not noticed'
  | 'wake-ups over 60 s late'
  | 'wake-ups too early'
  | 'days with more than their budget'
  | 'days that were opened again'
  | 'times that were run twice'
  | 'times that were not made up for';

export interface TimeWorld {
  readonly judged: Judged;
  readonly machine: VirtualMachine;
  readonly clock: Clock;
  /** IANA name; the process lives in it too. */
  readonly zone: string;
  readonly dice: (below: number) => number;
  broke(promise: TimePromise, how: string): void;
}

/** Somebody who lives by the clock. */
export interface Actor {
  /** After each step of a script. */
  look(): void | Promise<void>;
  /** Somebody ends the process, and another one goes on. */
  restart?(): Promise<void>;
  /** When all was played and two minutes have passed quietly. */
  end(): void | Promise<void>;
}
