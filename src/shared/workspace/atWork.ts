/** The work that the owner of a workspace is running now, as opposed to the statuses of the rows. */
export interface AtWork {
  /** Whether the owner carries out conversations and tasks. A command that only changes the state does not. */
  readonly works: boolean;
  /** Ids of the jobs whose loop is running or waiting. */
  readonly jobs: readonly string[];
  /** Ids of the projects whose conversation has a turn, waits included, and of those whose job or message is still being relayed. */
  readonly turns: readonly string[];
  /** Absent if nothing needs the machine. `fault`: why it may sleep nevertheless, one sentence; null while it is kept awake. */
  readonly awake?: { readonly fault: string | null };
}

/** No process owns the workspace. */
export const NOTHING_AT_WORK: AtWork = { works: false, jobs: [], turns: [] };
