/** Live lines: the current activity of a session. Never stored, so a lost line does no harm. */
export interface LiveLine {
  readonly at: string;
  readonly jobId: string;
  readonly sessionId: number | null;
  readonly featureId: number | null;
  /** e.g. `edit src/stack.js`, `verify: node --test`, `waiting for the model` */
  readonly text: string;
}

/** Between two calls of tools. */
export const WAITING = 'waiting for the model';
