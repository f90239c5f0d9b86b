/** The state of the workspace for the loops that run in a thread: they read rows and commit events. */
import type { Event, EventDraft } from '../../shared/workspace/events.ts';
import type { State, TableName } from '../../shared/workspace/state.ts';

/** The store as the loop sees it from its thread: requests go out, facts come back into `state`. */
export interface LoopStore {
  readonly state: State;
  /** Durable and folded into `state` when it resolves. */
  commit(draft: EventDraft): Promise<Event>;
  nextIds(table: TableName, count: number): Promise<readonly number[]>;
  /** Resolves at the next event that is folded in, or rejects when the signal aborts. */
  changed(signal: AbortSignal): Promise<void>;
}
