/** The wishes about tasks without files: there are no templates. */
import { systemClock } from '../../src/adapters/clock.ts';
import type { Store } from '../../src/engine/store.ts';
import type { TaskWishPorts } from '../../src/tasks/wishPorts.ts';

export function taskPorts(store: Store): TaskWishPorts {
  return {
    store,
    clock: systemClock(),
    made: async ({ definition }) => {
      if (definition === undefined) throw new Error('there are no templates here');
      return definition;
    },
    keepTemplate: async () => {
      throw new Error('there are no templates here');
    },
    problemsOf: () => [],
  };
}
