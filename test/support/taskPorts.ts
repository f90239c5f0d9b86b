/** The wishes about tasks without files: there are no templates. */
import type { Store } from '../../src/engine/store.ts';
import type { TaskWishPorts } from '../../src/tasks/wishes.ts';

export function taskPorts(store: Store): TaskWishPorts {
  return {
    store,
    made: async ({ definition }) => {
      if (definition === undefined) throw new Error('there are no templates here');
      return definition;
    },
    problemsOf: () => [],
  };
}
