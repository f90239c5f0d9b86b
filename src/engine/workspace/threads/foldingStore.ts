/** The store as a worker thread has it: the rows of its project as its owner changes them, and requests to commit more. */
import { fromPlain, type PlainFailure } from '../../../shared/errors.ts';
import type { Event, EventDraft } from '../../../shared/workspace/events.ts';
import { applyChanges, type Change, type State, type TableName } from '../../../shared/workspace/state.ts';
import type { LoopStore } from '../../state/loopStore.ts';

interface OwnerSide {
  commit(draft: EventDraft): Promise<{ readonly value: Event } | { readonly failure: PlainFailure }>;
  nextIds(table: TableName, count: number): Promise<readonly number[]>;
}

export interface FoldingStore extends LoopStore {
  /** Call for every event that concerns the project, in order, with its changes to the project's rows. */
  fold(changes: readonly Change[]): void;
}

export function foldingStore(state: State, owner: OwnerSide): FoldingStore {
  let waiting = new Set<() => void>();
  return {
    state,
    fold: (changes) => {
      applyChanges(state, changes);
      const woken = waiting;
      waiting = new Set();
      for (const wake of woken) wake();
    },
    commit: async (draft) => {
      const answered = await owner.commit(draft);
      if ('failure' in answered) throw fromPlain(answered.failure);
      return answered.value;
    },
    nextIds: (table, count) => owner.nextIds(table, count),
    changed: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const abort = (): void => {
          waiting.delete(wake);
          reject(signal.reason as Error);
        };
        const wake = (): void => {
          signal.removeEventListener('abort', abort);
          resolve();
        };
        waiting.add(wake);
        return signal.addEventListener('abort', abort, { once: true });
      }),
  };
}
