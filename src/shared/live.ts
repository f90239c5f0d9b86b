/** Small live lines: what a session does right now. Never stored; losing one loses nothing. */
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
