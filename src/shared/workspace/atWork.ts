/** What the owner of a workspace works on now, as opposed to what the statuses say. */
export interface AtWork {
  /** Whether the owner carries out conversations and tasks. A command that only changes the state does not. */
  readonly works: boolean;
  /** Ids of the jobs whose loop runs, waiting included. */
  readonly jobs: readonly string[];
  /** Ids of the projects whose conversation has a turn, waits included, and of those whose job or message is still passed on. */
  readonly turns: readonly string[];
}

/** No process owns the workspace. */
export const NOTHING_AT_WORK: AtWork = { works: false, jobs: [], turns: [] };
