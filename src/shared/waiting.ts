/** Why nothing moves, in one form for a job, a project and a task: every surface shows this value. */

/** What the rows of jobs, projects, tasks and steps hold while a model call of theirs waits. */
export const CALL_WAITS = ['limit', 'provider', 'queue'] as const;
export type CallWait = (typeof CALL_WAITS)[number];

export interface Wait {
  readonly code: CallWait;
  /** One sentence for a person, without its full stop. */
  readonly reason: string;
  /** ISO 8601 UTC. Failed tries in between do not change it. */
  readonly since: string;
  /** Time of the next try, ISO 8601 UTC; null if no time is known. */
  readonly until: string | null;
}

export const WAIT_CODES = [
  ...CALL_WAITS,
  'question', // the steward is asked
  'paused', // paused by a person or the engine, or the project is suspended
  'parked', // the project is active, but something keeps it from running
  'retry', // a step failed and is tried again later
  'time', // a step of a task that waits on purpose
] as const;
export type WaitCode = (typeof WAIT_CODES)[number];

/** The person or thing that ends the wait. */
export const WAITS_FOR = ['you', 'provider', 'clock'] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

/** What ends the wait earlier. */
export const WAIT_ACTIONS = ['try_now', 'answer', 'resume', 'raise_limit'] as const;
export type WaitAction = (typeof WAIT_ACTIONS)[number];

export interface Waiting {
  readonly code: WaitCode;
  readonly reason: string;
  readonly since: string | null;
  readonly until: string | null;
  readonly who: WaitsFor;
  /** What can be done now, the best first. Empty if only time helps. */
  readonly now: readonly WaitAction[];
  /** The question to answer. */
  readonly approvalId: number | null;
}

/** What **Try now** is about. */
export const WAITERS = ['job', 'project', 'task'] as const;
export type Waiter = (typeof WAITERS)[number];
