/** The part of the reducer that handles one type of event. */
import type { EventOf, EventType } from '../../shared/workspace/events.ts';
import type { Change, State } from '../../shared/workspace/state.ts';

export type Reducer<T extends EventType> = (state: State, event: EventOf<T>) => readonly Change[];
