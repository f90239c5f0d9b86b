/** Replicates the state in a client: reads it once, then folds the owner's events. Missed events are read from the disk. */
import { reduce } from '../../core/workspace/reduce.ts';
import type { Event } from '../../shared/workspace/events.ts';
import { applyChanges, type State } from '../../shared/workspace/state.ts';

export interface Reading {
  state(): Promise<State>;
  /** Everything that the owner has committed, in order, and nothing else. */
  events(): Promise<readonly Event[]>;
}

export interface ReplicatedState {
  /** Changed in place. Only after the first `catchUp`. */
  readonly state: State;
  /** Takes an event from the owner. Throws what the reducer throws; the state then no longer matches the owner's. */
  heard(event: Event): void;
  /** Reads missed events, and emits them and those that arrived meanwhile. Rejects with what reading or folding throws. */
  catchUp(): Promise<void>;
}

/**
 * `tell` receives every event after the first reading once, in order, after the state has it. `gap` means that `catchUp` is due.
 */
export function replicatedState(read: Reading, tell: (event: Event) => void, gap: () => void): ReplicatedState {
  let state: State | null = null;
  let reading: Promise<void> | null = null;
  let stale = false;
  const early: Event[] = [];

  const known = (): State => {
    if (state === null) throw new Error('the state was not read yet');
    return state;
  };
  const fold = (event: Event): void => {
    const at = known();
    if (event.seq <= at.meta.last_seq) return;
    applyChanges(at, reduce(at, event));
    tell(event);
  };
  const readAll = async (): Promise<void> => {
    try {
      do {
        stale = false;
        if (state === null) state = await read.state();
        else for (const event of await read.events()) fold(event);
      } while (stale);
      for (const event of early.splice(0)) fold(event);
    } finally {
      // Must happen in the turn of the last fold: the next event must not wait for a reading that has ended.
      reading = null;
    }
  };

  return {
    get state() {
      return known();
    },
    heard(event) {
      if (state === null || reading !== null) {
        early.push(event);
      } else if (event.seq > state.meta.last_seq + 1) {
        early.push(event);
        gap();
      } else {
        fold(event);
      }
    },
    catchUp() {
      stale = reading !== null;
      reading ??= readAll();
      return reading;
    },
  };
}
