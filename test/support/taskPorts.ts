/** The wishes about tasks without files: there are the built-in templates alone. */
import { systemClock } from '../../src/adapters/clock.ts';
import type { Store } from '../../src/engine/store.ts';
import { madeDefinition } from '../../src/tasks/templates.ts';
import type { TaskWishPorts } from '../../src/tasks/wishPorts.ts';

export function taskPorts(store: Store): TaskWishPorts {
  return {
    store,
    clock: systemClock(),
    made: (input) => madeDefinition([], input, systemClock().now()),
    keepTemplate: async () => {
      throw new Error('no template is kept here');
    },
    ready: async () => undefined,
    problemsOf: () => [],
  };
}
