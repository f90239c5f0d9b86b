/** The reason why a job, a project or a task does not continue, in one form for all surfaces. */

/** Values of a row of a job, project, task or step while its model call is waiting. */
export const CALL_WAITS = ['limit', 'provider', 'queue'] as const;
export type CallWait = (typeof CALL_WAITS)[number];

export interface Wait {
  readonly code: CallWait;
  /** One sentence for a person, without its full stop. */
  readonly reason: string;
  /** ISO 8601 UTC. Failed attempts in between do not change it. */
  readonly since: string;
  /** Time of the next attempt, ISO 8601 UTC. Null if no time is known. */
  readonly until: string | null;
}

export const WAIT_CODES = [
  ...CALL_WAITS,
  'question', // the steward is asked
  'paused', // paused by a person or the engine, or the project is suspended
  'parked', // the project is active, but something keeps it from running
  'retry', // a step failed and is tried again later
  'time', // a wait step of a task
] as const;
export type WaitCode = (typeof WAIT_CODES)[number];

/** The person or thing that ends the wait. */
export const WAITS_FOR = ['you', 'provider', 'clock'] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

/** Actions that end the wait early. */
export const WAIT_ACTIONS = ['try_now', 'answer', 'resume', 'raise_limit'] as const;
export type WaitAction = (typeof WAIT_ACTIONS)[number];

export interface Waiting {
  readonly code: WaitCode;
  readonly reason: string;
  readonly since: string | null;
  readonly until: string | null;
  readonly who: WaitsFor;
  /** Actions that are available now, the best first. Empty if only time helps. */
  readonly now: readonly WaitAction[];
  /** The question to answer. */
  readonly approvalId: number | null;
}

/** Objects that **Try now** applies to. */
export const WAITERS = ['job', 'project', 'task'] as const;
export type Waiter = (typeof WAITERS)[number];
